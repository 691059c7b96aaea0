/** A text with the beginnings of words that a query names marked. */
export function Excerpt({ text, query }: { text: string; query: string }) {
  const words = query
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  let position = 0;
  // Words and what is between them alternate.
  return text.split(/([\p{L}\p{N}]+)/u).map((part) => {
    const key = position;
    position += part.length;
    const length = words.find((word) => part.toLocaleLowerCase().startsWith(word))?.length;
    if (!length) return part;
    return (
      <span key={key}>
        <mark>{part.slice(0, length)}</mark>
        {part.slice(length)}
      </span>
    );
  });
}
