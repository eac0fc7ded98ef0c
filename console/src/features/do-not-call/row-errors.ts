interface RowError {
  row: string;
  message: string;
}

/** Splits the details of a refused file into one sentence per row: “Row 3: …. Row 5: ….” */
export const parseRowErrors = (details: string): RowError[] =>
  details
    .split(/(?:^|(?<=\.) )(?=Row \d+: )/)
    .filter(Boolean)
    .map((sentence) => {
      const [, row = '', message = sentence] = /^Row (\d+): (.*?)\.?$/s.exec(sentence) ?? [];
      return { row, message };
    });
