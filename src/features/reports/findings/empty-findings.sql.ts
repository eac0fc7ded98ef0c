/** SQL: the assignments that empty findings: they repeat what was said in the call, and to its tools. */
export const EMPTY_FINDINGS = `fields = '{}', criteria = '{}', answers = '{}'`;

/** SQL: whether findings have something that {@link EMPTY_FINDINGS} removes. */
export const HAS_FINDINGS = `answers <> '{}' OR fields <> '{}'`;
