import { byName } from '../../platform/database/closed-list';
import type { FieldError } from '../../platform/http/errors';
import { MAX_SLUG_LENGTH, SLUG } from '../../platform/validation/slug';
import { TOOL_NAME } from '../tools/tools.dto';

export const CODE_KINDS = ['agent', 'rehearsal', 'tool'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];
export const CODE_KIND = byName(CODE_KINDS);

/** The name of a resource in files. The slug of a rehearsal is that of its agent, a slash and its own name. */
export interface CodeName {
  kind: CodeKind;
  slug: string;
}

export const CODE_ACTIONS = ['create', 'update', 'delete', 'none'] as const;
export type CodeAction = (typeof CODE_ACTIONS)[number];

/** The parts of the slug of a rehearsal. */
export function splitSlug(slug: string): { agent: string; name: string } {
  const [agent = '', name = ''] = slug.split('/');
  return { agent, name };
}

/** A key that is unique in a workspace. */
export const toKey = ({ kind, slug }: CodeName) => `${kind} ${slug}`;

const isWords = (text: string) => text.length <= MAX_SLUG_LENGTH && SLUG.matches.test(text);

const SLUGS: Record<CodeKind, { fits: (slug: string) => boolean; message: string }> = {
  agent: { fits: isWords, message: `${SLUG.message}, at most ${MAX_SLUG_LENGTH} characters` },
  rehearsal: {
    fits: (slug) => /^[^/]+\/[^/]+$/.test(slug) && slug.split('/').every(isWords),
    message: 'must be the slug of an agent and a name, such as front-desk/table-for-two',
  },
  tool: { fits: (slug) => TOOL_NAME.matches.test(slug), message: TOOL_NAME.message },
};

/** @returns a problem for each slug that its kind cannot have, or that stands before it, too */
export function findSlugProblems(names: CodeName[], path: string): FieldError[] {
  const known = new Set<string>();
  return names.flatMap((name, index) => {
    const { fits, message } = SLUGS[name.kind];
    const field = `${path}.${index}.slug`;
    if (!fits(name.slug)) return [{ field, message: `slug ${message}` }];
    const isRepeated = known.has(toKey(name));
    known.add(toKey(name));
    return isRepeated ? [{ field, message: `the ${name.kind} ${name.slug} stands in the list before` }] : [];
  });
}
