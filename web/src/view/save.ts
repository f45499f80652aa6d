// A text handed to the reader as a file.
export function saveText(text: string, title: string, ending: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "tree"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
