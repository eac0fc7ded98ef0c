/** Aligns the cells of a table. */
export function table(rows: string[][]): string {
  const widths = (rows[0] as string[]).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );
  const line = (row: string[]) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
    );
  return rows.map((row) => line(row).join('  ')).join('\n');
}
