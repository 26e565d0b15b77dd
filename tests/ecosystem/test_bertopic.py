"""Topics of BERTopic by our clusterers."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, OULGE, ULGE, AnchorMap, Communities, WithOutliers

pytest.importorskip("bertopic", reason="needs BERTopic: make test-ecosystem")
pytest.importorskip("hdbscan", reason="BERTopic.transform needs hdbscan: make test-ecosystem")

from bertopic import BERTopic
from bertopic.dimensionality import BaseDimensionalityReduction
from bertopic.vectorizers import OnlineCountVectorizer

WORDS = [
    {"oven", "flour", "butter", "sugar", "recipe", "dough"},
    {"star", "planet", "orbit", "comet", "telescope", "eclipse"},
    {"goal", "match", "player", "referee", "stadium", "coach"},
    {"wave", "tide", "harbour", "sail", "coral", "lighthouse"},
]
SIZES = [100, 80, 60, 40]
N_COLS = 30


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def made(sizes, seed):
    """Documents of known topics, their embeddings of unit length, and the topic of each."""
    rng = np.random.default_rng(seed)
    topics = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    texts = [" ".join(rng.choice(sorted(WORDS[topic]), 5)) for topic in topics]
    return texts, unit(np.eye(4, N_COLS)[topics] + 0.08 * rng.standard_normal((len(topics), N_COLS))), topics


def odd(n, seed):
    """Documents about nothing else, in directions of their own."""
    rng = np.random.default_rng(seed)
    directions = rng.permutation(np.eye(N_COLS)[4:])[:n]
    return ["gibberish"] * n, unit(directions + 0.08 * rng.standard_normal((n, N_COLS)))


@pytest.fixture(scope="module")
def corpus():
    return made(SIZES, 0)


def communities(n_clusters=4):
    return Communities(n_clusters, metric="cosine", random_state=0)


def model_of(clusterer, reduction=None, **options):
    return BERTopic(umap_model=reduction or BaseDimensionalityReduction(), hdbscan_model=clusterer, **options)


def words_of(model, topic):
    return {word for word, _ in model.get_topic(topic)} - {""}


def assert_words_belong(model, corpus_topics, found):
    """Each topic has the words of the documents that are in it, and of no others."""
    for topic in set(found) - {-1}:
        (own,) = set(np.asarray(corpus_topics)[np.asarray(found) == topic])
        assert words_of(model, topic) == WORDS[own]


@pytest.mark.parametrize(
    ("reduction", "clusterer"),
    [
        (None, communities(None)),
        (None, FSC(4, metric="cosine", random_state=0)),
        (ULGE(3, random_state=0), communities()),
        (OULGE(3, random_state=0), communities()),
        (AnchorMap(random_state=0), Communities(4, random_state=0)),  # directions in a map mean nothing
        (PCA(5, random_state=0), communities()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_topics_are_found_and_new_documents_join_them(reduction, clusterer, corpus):
    texts, embeddings, topics = corpus
    model = model_of(clusterer, reduction)
    found, probabilities = model.fit_transform(texts, embeddings)
    assert found == topics.tolist()  # the largest topic has the number 0
    assert model.get_topic_info()["Count"].tolist() == SIZES
    assert_words_belong(model, topics, found)
    np.testing.assert_array_equal(probabilities, clusterer.probabilities_)
    np.testing.assert_array_equal(model.probabilities_, clusterer.probabilities_)
    assert probabilities.min() > 0.25
    new_texts, new_embeddings, new_topics = made([9, 7, 8, 6], 1)
    assert model.transform(new_texts, new_embeddings)[0] == new_topics.tolist()


def test_topics_can_be_reduced_merged_and_described_anew(corpus):
    texts, embeddings, _ = corpus
    model = model_of(communities())
    model.fit(texts, embeddings)
    model.update_topics(texts, n_gram_range=(1, 2))
    assert any(" " in word for word in words_of(model, 0))
    assert set(model.hierarchical_topics(texts, use_ctfidf=False)["Parent_ID"]) == {"4", "5", "6"}
    model.merge_topics(texts, [[0, 1]])
    assert sorted(model.get_topic_info()["Count"]) == [40, 60, 180]
    model.reduce_topics(texts, 2)
    assert len(model.get_topic_info()) == 2
    assert model.transform(texts, embeddings)[0] == model.topics_


def test_saved_models_go_on(corpus, tmp_path):
    texts, embeddings, topics = corpus
    model = model_of(WithOutliers(communities()))
    found, _ = model.fit_transform(texts, embeddings)
    model.save(tmp_path / "model.pickle", serialization="pickle")
    again = BERTopic.load(tmp_path / "model.pickle")
    assert again.transform(texts, embeddings)[0] == model.transform(texts, embeddings)[0] == found
    model.save(tmp_path / "folder", serialization="safetensors")
    without_clusterer = BERTopic.load(tmp_path / "folder")  # which compares with the means of topics
    assert adjusted_rand_score(without_clusterer.transform(texts, embeddings)[0], topics) == 1


@pytest.mark.parametrize("clusterer", [communities(None), FSC(4, metric="cosine", random_state=0)], ids=repr)
def test_outliers_are_the_topic_minus_one(clusterer, corpus):
    texts, embeddings, topics = corpus
    odd_texts, odd_embeddings = odd(14, 0)
    clusterer = WithOutliers(clusterer, contamination=0.05)
    model = model_of(clusterer)
    found, probabilities = model.fit_transform(texts + odd_texts, np.vstack([embeddings, odd_embeddings]))
    assert found[280:] == [-1] * 14  # 5 % of 294 documents
    assert found[:280] == topics.tolist()
    assert_words_belong(model, topics, found[:280])
    assert words_of(model, -1) >= {"gibberish"}
    assert (probabilities[280:] == 0).all()
    assert (probabilities[:280] > 0).all()
    new_texts, new_embeddings, new_topics = made([9, 7, 8, 6], 1)
    odd_texts, odd_embeddings = odd(5, 1)
    predicted, _ = model.transform(new_texts + odd_texts, np.vstack([new_embeddings, odd_embeddings]))
    assert predicted[30:] == [-1] * 5
    kept = np.array(predicted[:30]) != -1
    assert kept.sum() >= 25
    assert np.array_equal(np.array(predicted[:30])[kept], new_topics[kept])


ONLINE = pytest.mark.parametrize(
    "clusterer", [communities(), FSC(4, n_anchors=16, metric="cosine", random_state=0)], ids=repr
)
BATCHES = [made(SIZES, 0), made(SIZES, 1), *(made([10, 10, 10, 200], seed) for seed in range(2, 5))]
"""In the later ones there are many more documents of the smallest topic, which becomes the largest."""


@ONLINE
def test_topics_keep_their_numbers_and_words_from_batch_to_batch(clusterer):
    model = model_of(clusterer, vectorizer_model=OnlineCountVectorizer())
    number_of = None
    for texts, embeddings, topics in BATCHES:
        model.partial_fit(texts, embeddings)
        found = np.array(model.topics_)
        if number_of is None:
            number_of = np.array([found[topics == topic][0] for topic in range(4)])
        np.testing.assert_array_equal(found, number_of[topics])
        assert_words_belong(model, topics, found)
        np.testing.assert_array_equal(model.probabilities_, clusterer.probabilities_)
    assert [model.topic_sizes_[number] for number in number_of] == [230, 190, 150, 680]
    new_texts, new_embeddings, new_topics = made([9, 7, 8, 6], 9)
    assert model.transform(new_texts, new_embeddings)[0] == number_of[new_topics].tolist()


@ONLINE
def test_outliers_of_further_batches_are_the_topic_minus_one(clusterer):
    model = model_of(WithOutliers(clusterer), vectorizer_model=OnlineCountVectorizer())
    for seed, (texts, embeddings, topics) in enumerate(BATCHES):
        odd_texts, odd_embeddings = odd(6, seed)
        model.partial_fit(texts + odd_texts, np.vstack([embeddings, odd_embeddings]))
        found = np.array(model.topics_)
        assert found[-6:].tolist() == [-1] * 6
        assert_words_belong(model, topics, found[:-6])
        assert np.mean(found == -1) < 0.5
    assert sum(model.topic_sizes_.values()) == sum(len(texts) + 6 for texts, _, _ in BATCHES)
    assert "gibberish" in words_of(model, -1)


def test_a_new_topic_gets_a_new_number():
    """By ``n_clusters=None``; the other topics keep their numbers."""
    model = model_of(communities(None), vectorizer_model=OnlineCountVectorizer())
    for seed in range(2):
        texts, embeddings, topics = made([60, 50, 40], seed)
        model.partial_fit(texts, embeddings)
        assert model.topics_ == topics.tolist()
    texts, embeddings, topics = made([20, 20, 20, 90], 2)
    model.partial_fit(texts, embeddings)
    assert model.topics_ == topics.tolist()
    assert_words_belong(model, topics, model.topics_)


@pytest.mark.parametrize("value", [0, np.nan])
def test_documents_without_an_embedding(value, corpus):
    """BERTopic replaces NaN by 0, so that the sentence about rows of zeros is shown for both."""
    texts, embeddings, topics = corpus
    embeddings = embeddings.copy()
    embeddings[7] = value
    with pytest.raises(ValueError, match=r"^X has only zeros in row 7, which metric='cosine' cannot compare; remove"):
        model_of(communities()).fit(texts, embeddings)
    found, _ = model_of(communities().set_params(missing="mask")).fit_transform(texts, embeddings)
    assert found[7] == -1
    assert np.delete(found, 7).tolist() == np.delete(topics, 7).tolist()


@pytest.mark.parametrize(
    ("clusterer", "message"),
    [
        (communities(300), "n_clusters=300 is too many for n_samples=280; use at most 280"),
        (WithOutliers(communities(), contamination=0.7), r"contamination must be in \(0, 0.5\]; got 0.7"),
        (WithOutliers(KMeans(4)), r"estimator=KMeans\(n_clusters=4\) has no score_samples; pass a clusterer"),
    ],
)
def test_errors_reach_the_user(clusterer, message, corpus):
    """Also those of type TypeError, upon which BERTopic calls ``fit`` again without y."""
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        model_of(clusterer).fit(*corpus[:2])
