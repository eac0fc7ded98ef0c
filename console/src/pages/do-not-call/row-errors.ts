interface RowError {
  row: string;
  message: string;
}

/** The rows in the details of a refused file, which have a sentence each: “Row 3: …. Row 5: ….” */
export const rowErrorsOf = (details: string): RowError[] =>
  details
    .split(/(?:^|(?<=\.) )(?=Row \d+: )/)
    .filter(Boolean)
    .map((sentence) => {
      const [, row = '', message = sentence] = /^Row (\d+): (.*?)\.?$/s.exec(sentence) ?? [];
      return { row, message };
    });
