/** The words of names whose values are secrets. */
const SECRET_WORDS =
  /^(?:(?:\w{0,20}(?:key|token|secret|password))s?|passwd|pwd|passphrases?|auth|authorization|credentials?|bearer|signatures?|sig|jwt|pin)$/;

/** The beginnings of keys and tokens that many services give out. */
const SECRET_VALUE =
  /^(?:(?:bearer|basic|token)\s+\S|(?:sk|pk|rk|xi|key|pat|whsec|gh[opsu]|xox[a-z])[-_]\w{8}|eyJ[\w-]{8}|AKIA\w{12})/i;

/** Headers whose values anybody may read. */
const OPEN_HEADERS = /^(?:accept|accept-language|user-agent)$/i;

/** Whether a value must be in no file, as far as its name or its beginning tells. */
export const isSecret = (name: string, value: unknown): boolean =>
  name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .some((word) => SECRET_WORDS.test(word.toLowerCase())) ||
  (typeof value === 'string' && SECRET_VALUE.test(value.trim()));

/** Every other header may have a secret, whatever its name is. */
export const isOpenHeader = (name: string, value: string): boolean =>
  OPEN_HEADERS.test(name) && !SECRET_VALUE.test(value.trim());
