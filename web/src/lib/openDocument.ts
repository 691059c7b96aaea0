/** A link in the conversation asks the panel beside it to show a document. */

export interface DocumentRef {
  kind: string;
  key: string;
}

const requests = new EventTarget();

export const openDocument = (document: DocumentRef): void =>
  void requests.dispatchEvent(new CustomEvent<DocumentRef>("open", { detail: document }));

/** Returns the function that ends the subscription. */
export function onOpenDocument(listener: (document: DocumentRef) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<DocumentRef>).detail);
  requests.addEventListener("open", heard);
  return () => requests.removeEventListener("open", heard);
}
