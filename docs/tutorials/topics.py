"""
Topics of documents, with BERTopic
==================================

`BERTopic <https://maartengr.github.io/BERTopic>`_ embeds documents, clusters the embeddings, and describes each cluster
by the words that make it different: a topic. Any clusterer of scikit-learn's kind can take the place of HDBSCAN. With
:class:`~anchorgraph.Communities`, the embeddings need no reduction by UMAP first, new documents get their topics by
``predict``, and topics learn from batches.
"""

# sphinx_gallery_thumbnail_number = 1
import ast
import importlib.util
import re
import time
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from bertopic import BERTopic
from bertopic.dimensionality import BaseDimensionalityReduction
from bertopic.vectorizers import OnlineCountVectorizer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from anchorgraph import FSC, AnchorMap, Communities, WithOutliers

# %%
# Documents
# ---------
#
# English text that needs no download: what the docstrings of some packages say before their lists of parameters. The
# package of each document is known, but a package has several topics.


def docstrings(package, folder=""):
    """The first paragraphs of the public docstrings of a package, if they are long enough to be about something."""
    root = Path(importlib.util.find_spec(package).submodule_search_locations[0]) / folder
    found = set()
    for path in sorted(path for path in root.rglob("*.py") if "tests" not in path.parts):
        with warnings.catch_warnings(action="ignore"):  # of escapes in their strings
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for node in nodes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                text = re.split(r"\n\w[\w ]*\n-{3,}", ast.get_docstring(node) or "")[0]
                found.add(" ".join(text.split()))
    return sorted(text for text in found if len(text) >= 160)


PACKAGES = {
    "matplotlib": docstrings("matplotlib"),
    "networkx": docstrings("networkx"),
    "pandas": docstrings("pandas"),
    "scipy.stats": docstrings("scipy", "stats"),
    "scipy.signal": docstrings("scipy", "signal"),
    "email": docstrings("email"),
}
# packages that topics are not fitted to
OTHERS = {"asyncio": docstrings("asyncio"), "scipy.optimize": docstrings("scipy", "optimize")}

every_name = np.repeat(list(PACKAGES), [len(texts) for texts in PACKAGES.values()])
every_document = np.concatenate(list(PACKAGES.values()))
order = np.random.default_rng(0).permutation(len(every_name))
names = every_name[order][:2000]
documents, new_documents = (part.tolist() for part in np.split(every_document[order], [2000]))
print(pd.Series(names).value_counts().to_string())
print(documents[0][:300])

# %%
# Embeddings
# ----------
#
# Usually those of a language model: ``SentenceTransformer("all-MiniLM-L6-v2").encode(documents)``. To do without a
# download, this page uses 100 components of scikit-learn's TF-IDF instead, fitted to more text than the documents of
# the topics, as a language model is. What follows is the same for both.

embed = make_pipeline(
    TfidfVectorizer(sublinear_tf=True, min_df=3, max_df=0.2, stop_words="english", token_pattern="[a-zA-Z]{3,}"),
    TruncatedSVD(100, random_state=0),
    Normalizer(),
)
embed.fit([*documents, *new_documents, *OTHERS["asyncio"], *OTHERS["scipy.optimize"]])
embeddings = embed.transform(documents)

# %%
# Topics
# ------
#
# ``Communities`` compares directions with ``metric="cosine"``, and reduces wide rows itself: BERTopic's own step of
# reduction can be left out. It also finds how many topics there are: those that last longest over resolutions.
# ``levels_`` has finer and coarser ones, and ``n_clusters`` asks for a number.


def topic_model(clusterer, **options):
    """BERTopic with a clusterer, and without a reduction."""
    words = CountVectorizer(stop_words="english", token_pattern="[a-zA-Z]{3,}")
    options = {"umap_model": BaseDimensionalityReduction(), "vectorizer_model": words} | options
    return BERTopic(hdbscan_model=clusterer, **options)


model = topic_model(Communities(metric="cosine", random_state=0))
topics, probabilities = model.fit_transform(documents, embeddings)
info = model.get_topic_info()
print(info[["Topic", "Count", "Name"]].to_string(index=False))

# %%
# Topics are parts of packages: this is how many documents of each package are in the largest ones.

print(pd.crosstab(pd.Series(topics, name="topic"), pd.Series(names, name="package")).head(10))

# %%
# A map of the documents, with the words of the largest topics.

positions = AnchorMap(metric="cosine", random_state=0).fit_transform(embeddings)
figure, axis = plt.subplots(figsize=(9, 7), layout="constrained")
axis.scatter(*positions.T, c=np.array(topics) % 20, cmap="tab20", s=8)
for topic in range(min(14, len(set(topics)))):
    words = " ".join(word for word, _ in model.get_topic(topic)[:3])
    centre = np.median(positions[np.array(topics) == topic], axis=0)
    axis.annotate(words, centre, (0, 9), textcoords="offset points", ha="center", fontsize="small")
axis.set_axis_off()

# %%
# ``probabilities`` are those of the clusterer: how clearly each document belongs to its topic. The lowest are between
# two topics.

unclear = np.argmin(probabilities)
shares = model.hdbscan_model.predict_proba(embeddings[unclear : unclear + 1])[0]
print(documents[unclear][:200])
for topic in np.argsort(-shares)[:2]:
    print(f"{shares[topic]:.0%} {info['Name'][topic]}")

# %%
# Outliers
# --------
#
# HDBSCAN gives documents that fit no topic the topic -1. :class:`~anchorgraph.WithOutliers` adds that to a clusterer:
# here, to the 5 % of the documents that are least typical by its ``score_samples``. They take no part in the words of
# the topics.

with_outliers = topic_model(WithOutliers(Communities(metric="cosine", random_state=0), contamination=0.05))
topics_or_none, _ = with_outliers.fit_transform(documents, embeddings)
is_outlier = np.array(topics_or_none) == -1
print(f"{is_outlier.sum()} of {len(documents)} documents, such as")
for number in np.flatnonzero(is_outlier)[:3]:
    print(f"- {names[number]}: {documents[number][:120]}")

# %%
# New documents
# -------------
#
# ``transform`` asks the clusterer to ``predict``. Documents about something else are outliers by the same threshold.
# Few of those of the same packages are, and many of those of packages that the topics have not seen.

for name, texts in {"the same packages": new_documents, **OTHERS}.items():
    found = np.array(with_outliers.transform(texts, embed.transform(texts))[0])
    print(f"{name}: {np.mean(found == -1):.0%} of {len(texts)} new documents are outliers")

# %%
# Beside BERTopic's own choice
# ----------------------------
#
# BERTopic reduces by UMAP and clusters by HDBSCAN if nothing else is passed. UMAP compiles its code in the first fit,
# which is not counted here. NMI compares the topics with the packages; it is 1 if they are the same. It is that of all
# documents, with -1 as a topic, and that of the documents which are in a topic.

BERTopic().fit(documents[:300], embeddings[:300])
communities = Communities(metric="cosine", random_state=0)
choices = {
    "Communities": topic_model(communities),
    "Communities, 20 % outliers": topic_model(WithOutliers(communities, contamination=0.2)),
    "FSC": topic_model(FSC(metric="cosine", random_state=0)),
    "UMAP and HDBSCAN": topic_model(None, umap_model=None),
}
rows = {}
for name, choice in choices.items():
    begin = time.perf_counter()
    found = np.array(choice.fit_transform(documents, embeddings)[0])
    seconds = time.perf_counter() - begin
    is_in = found != -1
    rows[name] = {
        "seconds": f"{seconds:.1f}",
        "topics": found.max() + 1,
        "outliers": f"{1 - is_in.mean():.0%}",
        "NMI": f"{normalized_mutual_info_score(names, found):.2f}",
        "NMI in topics": f"{normalized_mutual_info_score(names[is_in], found[is_in]):.2f}",
    }
print(pd.DataFrame(rows).T)

# %%
# HDBSCAN finds out itself how many outliers there are, and many small topics, which can be as right as few large ones:
# a package has several topics. Here ``FSC`` finds few, and those nearest to the packages. This is one corpus with
# simple embeddings; try them on yours.
#
# Documents that keep coming
# --------------------------
#
# In BERTopic's online mode, ``partial_fit`` of the clusterer sees one batch after the other, and
# ``OnlineCountVectorizer`` adds to the words of the topics. Clusters keep their numbers from batch to batch, so that a
# topic collects words of the same documents. ``FSC`` keeps the anchors of the first batch, and its topics settle.
# ``Communities`` clusters all documents seen anew: it follows changes sooner, and more documents between two topics
# move from one to the other.


def learn_in_batches(clusterer):
    """A topic model of all documents, and the share of those seen before whose topic stays, for each further batch."""
    words = OnlineCountVectorizer(stop_words="english", token_pattern="[a-zA-Z]{3,}")
    model, kept = topic_model(clusterer, vectorizer_model=words), []
    for start in range(0, len(documents), 400):
        seen = embeddings[:start]
        before = clusterer.predict(seen) if start else None
        model.partial_fit(documents[start : start + 400], embeddings[start : start + 400])
        if start:
            kept.append(f"{np.mean(clusterer.predict(seen) == before):.0%}")
    return model, kept


for clusterer in (Communities(8, metric="cosine", random_state=0), FSC(8, metric="cosine", random_state=0)):
    online, kept = learn_in_batches(clusterer)
    print(f"{type(clusterer).__name__}: {', '.join(kept)} of the documents seen keep their topic")

# %%
# The topics of ``FSC`` after the last batch:

for topic in range(8):
    print(topic, online.topic_sizes_[topic], " ".join(word for word, _ in online.get_topic(topic)[:6]))
