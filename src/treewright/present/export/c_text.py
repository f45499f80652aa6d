"""The functions of a C export: declarations, levels, tests of columns, and prediction."""

from __future__ import annotations

from collections.abc import Iterable

from ...tree.leaf_models import IS_MISSING
from ...tree.leaf_models import NUMBER as NUMBER_TERM
from .c_row import Field, number, safe, string
from .c_tables import Parts, table
from .outputs import header

HOW = [
    "Fill a row, and call NAME_predict, NAME_probabilities or NAME_leaf; NAME_predict_many takes many rows.",
    "A level is its code: NAME_level_COLUMN finds it. Compile with -ffp-contract=off if leaves are linear or",
    "tests are oblique, and link with -lm. Define NAME_CHECK for a program that compares with the model.",
]


class Text(Parts):
    """The functions for one tree."""

    def header(self) -> str:
        """The comment at the top."""
        how = [line.replace("NAME", self.name) for line in HOW[:2]]
        how.append(HOW[2].replace("NAME_CHECK", f"{self.name.upper()}_CHECK"))
        return "\n".join(f" * {safe(line)}" for line in header(self.form, "C", how))

    def declarations(self) -> str:
        """The struct of a row, the classes, and the functions."""
        n, form = self.name, self.form
        lines = [f"typedef struct {n}_row {{"]
        for field in self.fields:
            lines.append(f"  {field.type} {field.name}; /* {field.comment()} */")
            lines += [f"  unsigned char {field.name}_missing;"] if field.has_mark else []
        lines += [] if self.fields else ["  unsigned char unused;"]
        lines += [f"}} {n}_row;", ""]
        for k, labels in enumerate(form.classes):
            which = f"_{k}" if form.n_outputs > 1 else ""
            shown = ", ".join(f"{j}: {label!r}" for j, label in enumerate(labels[:50]))
            lines.append(f"/* Classes{' of output ' + str(k) if which else ''} by number: {safe(shown)} */")
            lines.append(f"#define {n.upper()}_CLASSES{which} {len(labels)}")
            lines.append(f"const char *{n}_class{which}(int32_t number); /* its name; NULL for no class */")
        return "\n".join([*lines, *self._prototypes()])

    def class_names(self) -> str:
        """For each output a function from the number of a class to its name."""
        parts = []
        for k, labels in enumerate(self.form.classes):
            which = f"_{k}" if self.form.n_outputs > 1 else ""
            names = table("char *const", "each", [string(str(label)) for label in labels], 6)
            parts.append(
                f"const char *{self.name}_class{which}(int32_t number) {{\n  "
                + names.replace("\n", "\n  ")
                + f"\n  return number < 0 || number >= {len(labels)} ? NULL : each[number];\n}}"
            )
        return "\n\n".join(parts)

    def _prototypes(self) -> list[str]:
        n, form = self.name, self.form
        found = [f"int32_t {n}_leaf(const {n}_row *row);"]
        found.append(f"void {n}_leaf_many(const {n}_row *rows, size_t n, int32_t *to);")
        if "prediction" in self.has:
            found.append(f"/* {self._predict_words()} */")
            found.append(self._predict_head() + ";")
            if form.n_outputs == 1:
                found.append(f"void {n}_predict_many(const {n}_row *rows, size_t n, {self.predicted} *to);")
        if "probabilities" in self.has:
            found.append(
                f"/* Probabilities of the classes{', output after output' if form.n_outputs > 1 else ''}. */"
            )
            found.append(f"void {n}_probabilities(const {n}_row *row, double *to);")
        for field in self.fields:
            if field.kind == "level":
                found.append(
                    f"/* The code of a level of {safe(repr(field.column.name))}; -2 for an unknown one. */"
                )
                found.append(f"int32_t {n}_level_{field.name}({self._level_type(field)});")
        return found

    def _predict_words(self) -> str:
        what = "The number of the class" if self.form.is_classifier else "The predicted number"
        return what + (" of every output." if self.form.n_outputs > 1 else ".")

    def _predict_head(self) -> str:
        kind, n = self.predicted, self.name
        if self.form.n_outputs > 1:
            return f"void {n}_predict(const {n}_row *row, {kind} *to)"
        return f"{kind} {n}_predict(const {n}_row *row)"

    @staticmethod
    def _level_type(field: Field) -> str:
        return "const char *text" if field.column.is_text else "double number"

    def levels(self) -> str:
        """For each column with levels a function that finds the code of one."""
        parts = []
        for field in self.fields:
            if field.kind != "level":
                continue
            n, column = self.name, field.column
            kind = "text" if column.is_text else "number"
            each = column.levels if column.is_text else column.numbers
            entries = [
                f"{{{string(level) if column.is_text else number(level)}, {code}}}"
                for code, level in enumerate(each)
            ]
            same = "strcmp(each[k].text, text) == 0" if column.is_text else "each[k].number == number"
            parts.append(
                f"int32_t {n}_level_{field.name}({self._level_type(field)}) {{\n"
                "  "
                + table(f"{n}_{kind}_level", "each", entries, 4).replace("\n", "\n  ")
                + "\n  for (size_t k = 0; k < sizeof each / sizeof *each; ++k)\n"
                + f"    if ({same}) return each[k].code;\n  return -2;\n}}"
            )
        return "\n\n".join(parts)

    def predict(self) -> str:
        """The function that predicts."""
        form, n, has = self.form, self.name, self.has
        head = f"{self._predict_head()} {{"
        many, lines = form.n_outputs > 1, [head]
        if not form.is_classifier:
            lines += (
                ["  values_of(row, to);"]
                if many
                else ["  double to[WIDTH];", "  values_of(row, to);", "  return to[0];"]
            )
        elif "decides" not in has:
            if many:
                k = form.n_outputs
                lines.append(f"  memcpy(to, LABELS + (size_t){n}_leaf(row) * {k}, {k} * sizeof *to);")
            else:
                lines.append(f"  return LABELS[{n}_leaf(row)];")
        else:
            by = "mean_of" if "rounds" in has else "values_of"
            lines += ["  double shares[WIDTH];", f"  {by}(row, shares);"]
            if "rounds" in has:  # the last bits of a mean decide nothing
                lines.append(
                    "  for (int k = 0; k < WIDTH; ++k) shares[k] = nearbyint(shares[k] * 0x1p40) * 0x1p-40;"
                )
            begin = 0
            for k, size in enumerate(form.sizes):
                said = f"cheapest(shares + {begin}, {size})"
                lines.append(f"  to[{k}] = {said};" if many else f"  return {said};")
                begin += size
        return "\n".join([*lines, "}"])

    def cases(self) -> Iterable[str]:
        """What a test compares, for each column and each sum of columns."""
        tested = {test.feature for test in self.form.every_test}
        for place, field in enumerate(self.fields):
            if place in tested:
                yield f"    case {place}: return {field.case()};"
        for place, terms in enumerate(self.form.sums):
            total = " + ".join(f"{number(x)} * {self.fields[column].number()}" for column, x in terms)
            yield f"    case {len(self.fields) + place}: return number_side({total}, test);"

    def term_cases(self) -> Iterable[str]:
        """The value of a term of a linear leaf, for each column."""
        models = self.form.leaf_models
        assert models is not None
        for feature in models.used:
            place = self.form.place[feature]
            field = self.fields[place]
            at = f"row->{field.name}"
            if field.kind == "level" and field.column.kind == "nominal":
                code = f"term->level == {IS_MISSING} ? {at} == -1 : {at} == term->level"
                yield f"    case {place}: return (({code}) ? 1.0 : 0.0) - term->centre;"
                continue
            x = field.number()
            missing = f"isnan({x})"
            yield f"    case {place}:"
            yield f"      if (term->level != {NUMBER_TERM}) return ({missing} ? 1.0 : 0.0) - term->centre;"
            yield f"      return {missing} ? 0.0 : {x} - term->centre;"
