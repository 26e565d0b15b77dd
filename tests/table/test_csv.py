"""CSV files as people have them: the format is found, the file is parsed once, and errors name the place."""

import gzip
import io
import threading

import numpy as np
import pytest
import sklearn

from anchorgraph import ULGE, CSVFormat
from anchorgraph.table import as_table, column_names, csv_file, read_column
from anchorgraph.table.csv_stream import WatchedStream
from anchorgraph.table.location import locate
from anchorgraph.table.parts import InvalidFileError

ROWS = np.arange(40.0).reshape(20, 2) / 4


@pytest.fixture
def write(tmp_path):
    def write(text, name="rows.csv", encoding="utf-8"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        return tmp_path / name

    return write


@pytest.mark.parametrize(
    ("text", "found", "rows"),
    [
        ("a,b\n1,2\n", ("separator ','", "decimal '.'"), [[1, 2]]),
        ("a;b\n1,5;2\n3;4,25\n", ("separator ';'", "decimal ','"), [[1.5, 2], [3, 4.25]]),
        ("1,5;b\n3,5;4,5\n", ("separator ';'", "decimal ','"), [[3.5, 4.5]]),  # a name that looks like a number
        ("a;b\n1.5;2\n", ("separator ';'", "decimal '.'"), [[1.5, 2]]),
        ("a\tb\n1,5\t2\n", (r"separator '\t'", "decimal ','"), [[1.5, 2]]),
        ("a|b\n1|2\n", ("separator '|'",), [[1, 2]]),
        ('"a, b";"c"\n"1,5";-2e3\n', ("separator ';'", "decimal ','"), [[1.5, -2000]]),
        ('"a;b","c;d"\n1,2\n', ("separator ','",), [[1, 2]]),
        ("a\n1\n2\n", ("separator ','",), [[1], [2]]),
        ("\ufeffa,b\r\n1,2\r\n\r\n3,4", ("separator ','",), [[1, 2], [3, 4]]),
        ("a,b\n 1 , 2\n,NA\n", ("separator ','",), [[1, 2], [np.nan, np.nan]]),
    ],
)
def test_the_format_is_found(text, found, rows, write):
    table = as_table(write(text))
    np.testing.assert_array_equal(table.rows(), rows)
    assert all(part in table.description for part in found)


def test_quoted_names_and_lines_within_quotes(write):
    path = write('"a, b","say ""c""",text\n1,2,"two\nlines; and, more"\n3,4,x\n')
    assert column_names(path) == ["a, b", 'say "c"', "text"]
    table = as_table(path, without="text")
    assert table.names == ["a, b", 'say "c"']
    np.testing.assert_array_equal(table.rows(), [[1, 2], [3, 4]])
    assert read_column(path, "text").tolist() == ["two\nlines; and, more", "x"]


def test_a_format_that_is_given(write):
    path = write("1:2\n3:4\n")
    table = as_table(path, csv=CSVFormat(separator=":", header=False))
    assert table.names == ["column_0", "column_1"]
    assert table.description == "rows.csv: 2 rows, 2 columns (separator ':', decimal '.', no header)"
    np.testing.assert_array_equal(table.rows(), [[1, 2], [3, 4]])
    path = write("größe;b\n1;2,5\n", encoding="latin-1")
    with pytest.raises(ValueError, match=r"rows\.csv is not text in the encoding 'utf-8'; .*encoding='latin-1'"):
        as_table(path)
    table = as_table(path, csv=CSVFormat(encoding="latin-1"))
    assert table.names == ["größe", "b"]
    np.testing.assert_array_equal(table.rows(), [[1, 2.5]])
    path = write("a,b\n1,2\n", encoding="utf-16")
    np.testing.assert_array_equal(as_table(path, csv=CSVFormat(encoding="utf-16")).rows(), [[1, 2]])
    assert read_column(path, "b", CSVFormat(encoding="utf-16")).tolist() == [2]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("1,5;-2,5e3\n3,5;4,5\n", [[1.5, -2500], [3.5, 4.5]]),
        ("1,NA\n3,4\n", [[1, np.nan], [3, 4]]),
        ("1\n2\n", [[1], [2]]),
    ],
)
def test_a_first_line_of_numbers_is_not_lost(text, rows, write):
    path = write(text)
    with pytest.raises(
        InvalidFileError,
        match=r"rows\.csv has only numbers in its first line.*header=False\).*--no-header.*header=True",
    ):
        as_table(path)
    np.testing.assert_array_equal(as_table(path, csv=CSVFormat(header=False)).rows(), rows)
    np.testing.assert_array_equal(as_table(path, csv=CSVFormat(header=True)).rows(), rows[1:])


def test_one_column_of_a_file_with_decimal_commas(write):
    path = write("x;count;text;point\n1,5;1;a,b;1.5\n;2;c;2,5\n-2,5e1;3;1,5;3\n")
    np.testing.assert_array_equal(read_column(path, "x", CSVFormat(decimal=",")), [1.5, np.nan, -25])
    assert read_column(path, "count").tolist() == [1, 2, 3]
    assert read_column(path, "text").tolist() == ["a,b", "c", "1,5"]
    assert read_column(path, "point", CSVFormat(decimal=",")).tolist() == ["1.5", "2,5", "3"]
    assert read_column(write("x;y\n1,5;2\n2,5;3\n"), "x").tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"separator": ";;"}, "separator must be one character"),
        ({"separator": '"'}, "separator must be one character"),
        ({"decimal": "x"}, r"decimal must be '\.' or ','; got 'x'"),
        ({"decimal": ",", "separator": ","}, "decimal and separator are both ','"),
        ({"encoding": "no such"}, "encoding='no such' is not known"),
    ],
)
def test_impossible_formats(given, message):
    with pytest.raises(ValueError, match=message):
        CSVFormat(**given)


def test_other_suffixes(write, tmp_path):
    np.testing.assert_array_equal(as_table(write("a\tb\n1\t2\n", "rows.tsv")).rows(), [[1, 2]])
    np.testing.assert_array_equal(as_table(write("a,b\n1,2\n", "ROWS.CSV")).rows(), [[1, 2]])
    with gzip.open(tmp_path / "rows.csv.gz", "wt") as file:
        file.write("a;b\n1,5;2\n")
    table = as_table(tmp_path / "rows.csv.gz")
    np.testing.assert_array_equal(table.rows(), [[1.5, 2]])
    assert table.description == "rows.csv.gz: 1 row, 2 columns (separator ';', decimal ',')"
    content = (tmp_path / "rows.csv.gz").read_bytes()
    (tmp_path / "rows.csv.gz").write_bytes(content[:-12])
    with pytest.raises(ValueError, match=r"rows\.csv\.gz (is not a valid CSV file|ends in the middle)"):
        as_table(tmp_path / "rows.csv.gz")


def test_compressed_text_is_not_read_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("anchorgraph.table.file_checks.UNCHECKED_BYTES", 2**20)
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"0,0\n" * 2**20))
    message = r"rows\.csv\.gz claims to hold [12],\d+,\d+ bytes .* 100 times .* store it uncompressed, as \.csv\.$"
    with pytest.raises(ValueError, match=message):  # after some MB of four
        as_table(tmp_path / "rows.csv.gz")
    monkeypatch.setattr("anchorgraph.table.csv_stream.PIECE_BYTES", 2**18)
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(b"a,b\n" + (b"0" * 2**20 + b",0\n") * 8))  # in one block
    with pytest.raises(ValueError, match=message):
        as_table(tmp_path / "rows.csv.gz")


def test_a_first_line_without_end_is_said_to_be_long(write, monkeypatch):
    monkeypatch.setattr("anchorgraph.table.csv_file.MAX_LINE_BYTES", 2**20)
    with pytest.raises(ValueError, match=r"rows\.csv is not a valid CSV file \(its first line is too long\)"):
        as_table(write("a" * 2**21))


def long_text(n_rows=40_000, last="1,0.5,true"):
    """More than one block; integers, then decimals."""
    return "a,b,c\n" + "1,2,true\n" * n_rows + "3,4.5,false\n" * n_rows + f"{last}\n"


def test_columns_of_integers_may_have_decimals_later(write):
    table = as_table(write(long_text()))
    assert (table.n_rows, table.dtype) == (80_001, np.float64)
    np.testing.assert_array_equal(table.take(np.array([0, 40_000, 80_000])), [[1, 2, 1], [3, 4.5, 0], [1, 0.5, 1]])


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ("1,x,true", r"Column 'b' of .*rows\.csv has the value 'x' in line 80,002, which is not a number; correct it"),
        ("1,2,maybe", r"Column 'c' of .*rows\.csv has the value 'maybe' in line 80,002"),
        ("1,2", r"Line 80,002 of .*rows\.csv has 2 values, but the file has 3 columns; correct it\.$"),
        ("1,2,3,4", r"Line 80,002 of .*rows\.csv has 4 values, but the file has 3 columns"),
    ],
)
def test_a_bad_value_is_named_by_line_and_column(last, message, write):
    with pytest.raises(ValueError, match=message) as caught:
        as_table(write(long_text(last=last)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("n_rows", [3, 300])  # all rows are among the first lines, or not
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_an_editor_counts_them(n_rows, end, write):
    """The header is line 1; line breaks in quotes and empty lines count, and a value is in the line where it begins."""
    rows = ["1,2,a note", "", '3,4,"a note', 'of two lines"'] * n_rows + ['"5', '",x,'] + ["7,8,"] * 10
    path = write(end.join(["a,b,note", *rows, ""]))
    with pytest.raises(
        ValueError, match=rf"^Column 'b' of .* has the value 'x' in line {4 * n_rows + 3:,}, which is no"
    ):
        as_table(path, columns=["b"])
    with pytest.raises(ValueError, match=rf"^Line {4 * n_rows + 2:,} of .* has 2 values, but the file has 3 columns"):
        as_table(write(end.join(["a,b,note", *rows[:-12], "5,6", ""])), columns=["b"])


def test_all_columns_that_are_not_numbers_are_named_at_once(write):
    late = "1,2,3,x\n" * 300 + "1,z,3,x\n" + "1,2,3,x\n" * 300 + "y,2,3,x\n"
    with pytest.raises(ValueError, match=r"^Columns ") as caught:
        as_table(write("a,b,c,d\n" + late))
    assert "'a' ('y' in line 603), 'b' ('z' in line 302), 'd' ('x' in line 2)" in str(caught.value)
    assert "leave them out (without=['a', 'b', 'd']; --drop a,b,d of the program), or choose" in str(caught.value)
    with pytest.raises(ValueError, match=r"^Columns 'a' \('y' in line 603\), 'b' \('z' in line 302\) of "):
        as_table(write("a,b,c,d\n" + late), without="d")
    np.testing.assert_array_equal(as_table(write("a,b,c,d\n" + late), without=["a", "b", "d"]).take([0]), [[3]])


@pytest.mark.parametrize(
    ("names", "option"),
    [
        (["id", "a note"], "--drop 'id,a note' of the program"),
        (["id", "name, first"], ""),  # cannot be told from two names
        (["id", " name"], ""),
    ],
)
def test_the_option_that_leaves_columns_out_can_be_pasted(names, option, write):
    with pytest.raises(ValueError, match="have values that are not numbers") as caught:
        as_table(write(f'"{names[0]}","{names[1]}",x\na,b,1\nc,d,2\n'))
    assert f"(without={names}{'; ' * bool(option)}{option})" in str(caught.value)


def test_an_error_waits_until_arrow_reads_no_further():
    """If Python ended while a thread of Arrow frees a Python object, C++ would end the process by an abort."""
    stream = WatchedStream(io.BytesIO(b"a,b\n1,2\n"), locate("rows.csv"))
    held = [file := stream.for_arrow(), file.read(4), file.read(4)]
    del file
    release = threading.Timer(0.05, held.clear)
    release.start()
    stream.wait_for_arrow()
    assert not held


@pytest.mark.parametrize("cut", [3, 4, 8, 9])
def test_a_long_file_that_was_cut_off(cut, write):
    text = long_text(last='"1","2","true"')
    with pytest.raises(ValueError, match=r"rows\.csv ends in the middle of line 80,002 and was probably cut off"):
        as_table(write(text[:-cut]))


@pytest.mark.parametrize("memory", [1024, 0.01])
def test_a_file_is_parsed_once(memory, write, monkeypatch):
    """The numbers are kept: in memory, or in a temporary folder that goes with the table."""
    path, parsed = write(long_text()), []
    original = csv_file.CsvFile._batches
    monkeypatch.setattr(csv_file.CsvFile, "_batches", lambda self, types: parsed.append(types) or original(self, types))
    monkeypatch.setattr("anchorgraph.table.kept.PART_BYTES", 2**18)
    with sklearn.config_context(working_memory=memory):
        table = as_table(path)
        path.unlink()
        for _ in range(3):
            (total,) = table.sum_blocks(lambda block: (block.sum(axis=0),))
        np.testing.assert_array_equal(total, [160_001, 260_000.5, 40_001])
    assert len(parsed) == 1


def test_kept_rows_are_removed_with_their_table(write, tmp_path, monkeypatch):
    import tempfile

    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("anchorgraph.table.kept.PART_BYTES", 2**18)
    with sklearn.config_context(working_memory=0.01):
        table = as_table([write(long_text()), write(long_text(), "more.csv")])
        assert list((tmp_path / "temporary").glob("*/*.npy"))
        assert table.n_rows == 160_002
        with pytest.raises(ValueError, match="has the value 'x'"):
            as_table(write(long_text(last="1,x,true"), "bad.csv"))
        assert len(list((tmp_path / "temporary").iterdir())) == 1
        del table
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize(("value", "problem"), [("", "NaN"), ("inf", r"infinity \(inf\)")])
def test_numbers_that_cannot_be_used_are_found_in_their_line(write, monkeypatch, value, problem):
    monkeypatch.setattr("anchorgraph.table.kept.PART_BYTES", 2**18)
    path = write(long_text(last=f"1,{value},true"))
    with pytest.raises(ValueError, match=rf"{problem} in line 80,002 of .*rows\.csv, column 'b'"):
        ULGE(1).fit(path)


def test_memory_is_bounded(write, tmp_path):
    """Ten times the working memory: neither the text nor the numbers are held at once."""
    import tracemalloc

    import pyarrow as pa

    path = write("a,b,c,d\n" + "0.25,1.5,2.5,3.5\n" * 2_000_000)  # 64 MB of numbers
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    with sklearn.config_context(working_memory=6):
        table = as_table(path)
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert table.n_rows == 2_000_000
    assert held < 5 * 2**24  # parts of 16 MiB that are put together
    assert pa.total_allocated_bytes() - before < 2**24


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2"], [1, 2]),
        (["1", "2.5"], [1, 2.5]),
        (["1", "x"], ["1", "x"]),
        (["", "x"], ["", "x"]),
        (["true", "false"], [True, False]),
    ],
)
def test_columns_of_labels_and_ids(values, expected, write):
    path = write("a,b\n" + "".join(f"1,{value}\n" for value in values))
    assert read_column(path, "b").tolist() == expected


def test_each_file_of_a_folder_has_its_own_format(write, tmp_path):
    write("a;b\n1,5;2\n", "0.csv")
    write("b,a\n2,1.5\n", "1.csv")
    np.testing.assert_array_equal(as_table(tmp_path).rows(), [[1.5, 2], [1.5, 2]])
    np.save(tmp_path / "2.npy", ROWS)
    with pytest.raises(ValueError, match="different formats"):
        as_table(tmp_path)


def test_lines_longer_than_a_block(write):
    n = 2000
    path = write(",".join(f"column{i}" for i in range(n)) + "\n" + ",".join(["0.25" + "0" * 600] * n) + "\n")
    np.testing.assert_array_equal(as_table(path).rows(), np.full((1, n), 0.25))


def test_very_long_names_are_shortened_in_errors(write):
    name = "x" * 10_000
    path = write(f"{name},b\nhello,1\nthere,2\n")
    for work in (as_table, lambda path: as_table(path, columns=["c" * 10_000])):
        with pytest.raises(ValueError, match=r"x…x|c…c") as raised:
            work(path)
        assert len(str(raised.value)) < 1000
