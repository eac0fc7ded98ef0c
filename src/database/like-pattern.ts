/** What LIKE is to find wherever it stands, taken as it is written. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
