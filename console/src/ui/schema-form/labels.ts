/** The API's name of a field as words: backGroundNoiseEnv becomes "Back ground noise env". */
export function toLabel(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(id|url)\b/g, (word) => (word === 'url' ? 'URL' : word));
  return words.charAt(0).toUpperCase() + words.slice(1);
}
