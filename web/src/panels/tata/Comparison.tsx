/** Candidates side by side, by their initials alone. */

import { Scroll } from "../../ui/Scroll";

interface Table {
  title: string;
  columns: string[];
  rows: { criterion: string; cells: string[] }[];
}

export function Comparison({ content }: { content: unknown }) {
  const table = content as Table;
  return (
    <Scroll className="panel-table comparison" label={table.title}>
      <table>
        <caption>{table.title}</caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.criterion}>
              <th scope="row">{row.criterion}</th>
              {row.cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
