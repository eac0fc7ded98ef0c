/** Characters that YAML has as they are. */
const READABLE =
  /^[\t\n\x20-\x7e\x85\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** A file of YAML, in which a text of several lines has a line for each. */
export async function toYaml(content: object): Promise<string> {
  // Other commands need none, and start faster.
  const { dump, visit } = await import('js-yaml');
  return dump(content, {
    lineWidth: -1,
    noRefs: true,
    transform: (documents) =>
      visit(documents, (node) => {
        // A tab or a hard space would else make it one line with escapes.
        if (node.kind === 'scalar' && node.value.includes('\n') && READABLE.test(node.value))
          node.style.literal = true;
      }),
  });
}
