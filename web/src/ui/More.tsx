/** A button that loads the next page of a list; nothing on the last page. */
interface Props {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
}

export function More({ list, label }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <button
      type="button"
      className="button"
      disabled={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      {label}
    </button>
  );
}
