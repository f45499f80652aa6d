// The model file of the tree that is shown: its arrays without the nodes that were pruned, every other part as
// Python wrote it, and the hash of it all. The text is JSON with sorted keys, the form that the hash is made of.
import type { Int, LeafModelArrays, ModelParts, Num, SurrogateArrays } from "../payload";
import { sha256 } from "./sha256";

type List = (Num | Int)[];
type Arrays = Record<string, List>;

export interface PrunedBy {
  alpha: number;
  leaves: number;
  depth: number;
}

/** A number as Python's repr has it: 1.0, 1e-05, 1e+16. */
export function pythonFloat(x: number): string {
  if (Object.is(x, -0)) return "-0.0";
  if (x === 0) return "0.0";
  const [digits, power] = Math.abs(x).toExponential().split("e");
  const [bare, exponent] = [digits.replace(".", ""), Number(power)];
  const sign = x < 0 ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${bare}`;
  const whole = bare.padEnd(exponent + 1, "0");
  return `${sign}${whole.slice(0, exponent + 1)}.${whole.slice(exponent + 1) || "0"}`;
}

function written(list: List, float: boolean): string {
  const each = list.map((item) => {
    if (typeof item === "string") return JSON.stringify(item);
    if (typeof item === "object") return item.$int;
    return float ? pythonFloat(item) : String(item);
  });
  return `[${each.join(",")}]`;
}

function object(texts: Record<string, string>): string {
  const keys = Object.keys(texts).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${texts[key]}`).join(",")}}`;
}

/** The lists of levels of some nodes or surrogates; those that are not wanted become empty. */
function levels(arrays: Arrays, places: number[], wanted: (place: number) => boolean): Arrays {
  const begin = arrays.level_begin as number[] | undefined;
  if (!begin) return {};
  const found: Arrays = { level_begin: [0], level_code: [], level_child: [] };
  for (const place of places) {
    if (wanted(place)) {
      for (let k = begin[place]; k < begin[place + 1]; k++) {
        found.level_code.push(arrays.level_code[k]);
        found.level_child.push(arrays.level_child[k]);
      }
    }
    found.level_begin.push(found.level_code.length);
  }
  return found;
}

/** The arrays of the tree in which the nodes of `cut` are leaves. */
function pruned({ tree, file }: ModelParts, cut: Uint8Array): { arrays: Arrays; surrogates: Arrays | null; models: Arrays | null } {
  const all = tree as unknown as Arrays;
  const number = new Int32Array(cut.length).fill(-1);
  const kept: number[] = [];
  const seen = new Uint8Array(cut.length);
  seen[0] = 1;
  for (let node = 0; node < cut.length; node++) {
    if (!seen[node]) continue;
    number[node] = kept.length;
    kept.push(node);
    if (!cut[node]) for (let k = 0; k < tree.n_children[node]; k++) seen[tree.first_child[node] + k] = 1;
  }
  const arrays: Arrays = { ...all };
  for (const name of file.node_arrays) {
    if (!all[name]) continue;
    const leaf = file.as_leaf[name];
    arrays[name] = kept.map((node) => (cut[node] && leaf !== undefined ? leaf : all[name][node]));
  }
  arrays.first_child = kept.map((node) => (cut[node] ? -1 : number[tree.first_child[node]]));
  for (const name of file.outcomes) {
    const width = (all[name]?.length ?? 0) / cut.length;
    if (width) arrays[name] = kept.flatMap((node) => all[name].slice(node * width, (node + 1) * width));
  }
  Object.assign(arrays, levels(all, kept, (node) => !cut[node]));
  return { arrays, surrogates: tree.surrogates ? surrogatesOf(tree.surrogates, number, cut) : null, models: tree.leaf_models ? modelsOf(tree.leaf_models, kept) : null };
}

/** The linear models of the nodes that are kept. */
function modelsOf(given: LeafModelArrays, kept: number[]): Arrays {
  const all = given as unknown as Arrays;
  const scores = given.constant.length / (given.begin.length - 1);
  const found: Arrays = { begin: [0] };
  const terms = kept.flatMap((node) => Array.from({ length: given.begin[node + 1] - given.begin[node] }, (_, k) => given.begin[node] + k));
  for (const node of kept) found.begin.push((found.begin.at(-1) as number) + given.begin[node + 1] - given.begin[node]);
  for (const [name, list] of Object.entries(all)) {
    if (name === "begin") continue;
    const [places, width] = ["constant", "lower", "upper"].includes(name) ? [kept, scores] : [terms, name === "coefficient" ? scores : 1];
    found[name] = places.flatMap((place) => list.slice(place * width, (place + 1) * width));
  }
  return found;
}

function surrogatesOf(given: SurrogateArrays, number: Int32Array, cut: Uint8Array): Arrays | null {
  const all = given as unknown as Arrays;
  const kept = given.node.map((_, place) => place).filter((place) => number[given.node[place]] >= 0 && !cut[given.node[place]]);
  if (!kept.length) return null;
  const found: Arrays = {};
  for (const [name, list] of Object.entries(all)) if (!name.startsWith("level_")) found[name] = kept.map((place) => list[place]);
  found.node = kept.map((place) => number[given.node[place]]);
  return { ...found, ...levels(all, kept, () => true) };
}

function treeText({ file, tree }: ModelParts, { arrays, surrogates, models }: ReturnType<typeof pruned>): string {
  const floats = new Set(file.floats);
  const texts: Record<string, string> = {};
  for (const [name, list] of Object.entries(arrays)) if (list.length && name !== "surrogates" && name !== "leaf_models" && name !== "combinations" && name !== "found_by_names") texts[name] = written(list, floats.has(name));
  if (tree.found_by_names) texts.found_by_names = JSON.stringify(tree.found_by_names);
  if (surrogates) texts.surrogates = object(Object.fromEntries(Object.entries(surrogates).filter(([, list]) => list.length).map(([name, list]) => [name, written(list, floats.has(name))])));
  if (models) texts.leaf_models = object(Object.fromEntries(Object.entries(models).filter(([, list]) => list.length).map(([name, list]) => [name, written(list, floats.has(name))])));
  if (tree.combinations) texts.combinations = object(Object.fromEntries(Object.entries(tree.combinations).map(([name, list]) => [name, written(list, floats.has(name))])));
  return object(texts);
}

/** What pruning changes in the summary of the fit: its scores were those of the larger tree. */
function summary(file: ModelParts["file"], by: PrunedBy | null): { fitted: string; training: string } {
  const { scores, tree: _, best: __, ...rest } = file.training;
  if (!by) return { fitted: object(file.fitted), training: object(file.training) };
  const alpha = pythonFloat(by.alpha);
  const method = `{"alpha":${alpha},"method":"cost_complexity"}`;
  const training = { ...rest, ...(scores && { scores_before_pruning: scores }), pruned: method, leaves: String(by.leaves), depth: String(by.depth) };
  return { fitted: object({ ...file.fitted, changed_: '"pruned by cost_complexity"', pruning_: `{"alpha":${alpha}}` }), training: object(training) };
}

/** The model file as text. `by` is null for the tree as it was fitted. */
export function modelFile(model: ModelParts, cut: Uint8Array, by: PrunedBy | null): string {
  const body = { ...model.file.parts, ...summary(model.file, by), tree: treeText(model, pruned(model, cut)) };
  const text = object(body);
  return object({ ...body, sha256: JSON.stringify(sha256(text)) });
}
