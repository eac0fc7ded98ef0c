/** Words with hyphens between them. */
export const SLUG = {
  matches: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  message: 'must be words of a-z and 0-9 with hyphens between them, such as table-for-two',
};

export const MAX_SLUG_LENGTH = 60;
