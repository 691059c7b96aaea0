/** Fetches the next part of a list that comes in parts; nothing when it is whole. */
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
