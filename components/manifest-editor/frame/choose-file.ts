/** Held while the browser's own dialog is open: some throw away an input that nobody holds. */
let chooser: HTMLInputElement | undefined;

/** Lets a person choose one file; must be called by what they pressed. */
export function chooseFile(chosen: (files: File[]) => void): void {
  chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".json,application/json";
  chooser.addEventListener("change", () => chosen([...(chooser?.files ?? [])]));
  chooser.click();
}
