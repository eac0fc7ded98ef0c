import { EditorView } from '@codemirror/view';

const small = 'var(--text-small)';
const line = '1px solid var(--line-strong)';
const radius = 'var(--radius)';

/** The look of the editor, whose shadow root no other style sheet reaches. Custom properties do. */
export const theme = EditorView.theme({
  '&': {
    height: 'var(--editor-height, auto)',
    maxHeight: 'var(--editor-max-height, none)',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: line,
    borderRadius: radius,
  },
  '&:has(.cm-content:focus)': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '&:has([aria-invalid="true"])': { borderColor: 'var(--bad)' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': {
    minHeight: 'var(--editor-min-height, 8rem)',
    padding: 'var(--space-2)',
    caretColor: 'var(--text)',
  },
  '.cm-line': { padding: '0 2px' },
  '.cm-heading': { fontWeight: '650' },
  '.cm-variable': {
    color: 'var(--accent)',
    backgroundColor: 'var(--accent-soft)',
    borderRadius: '3px',
  },
  '.cm-unknown': {
    color: 'var(--warn)',
    backgroundColor: 'var(--warn-soft)',
    textDecoration: 'underline wavy',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--surface-sunken)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: 'var(--space-1) var(--space-2)',
    alignItems: 'center',
    padding: 'var(--space-2) 2.5rem var(--space-2) var(--space-2)',
    fontSize: small,
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search :is(input, button, label)': { margin: '0', fontSize: small },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    gap: 'var(--space-1)',
    alignItems: 'center',
    minHeight: '1.5rem',
  },
  '.cm-panel.cm-search input[type=checkbox]': {
    width: '1.125rem',
    height: '1.125rem',
    accentColor: 'var(--accent)',
  },
  '.cm-textfield': {
    minHeight: '1.75rem',
    padding: '0 var(--space-2)',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: line,
    borderRadius: radius,
  },
  '.cm-button': {
    minHeight: '1.75rem',
    padding: '0 var(--space-2)',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: line,
    borderRadius: radius,
    cursor: 'pointer',
  },
  '.cm-button:active': { backgroundImage: 'none' },
  ':is(.cm-button, .cm-textfield, button, input):focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '2px',
  },
  '.cm-panel.cm-search [name=close]': {
    top: 'var(--space-2)',
    right: 'var(--space-2)',
    width: '1.75rem',
    height: '1.75rem',
    color: 'var(--text)',
    cursor: 'pointer',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--info-soft)', outline: '1px solid var(--info)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outline: '2px solid var(--accent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--info-soft)' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-raised)',
    border: line,
    borderRadius: radius,
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', fontSize: small },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--space-1) var(--space-3)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--accent-text)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionMatchedText': { fontWeight: '650', textDecoration: 'underline' },
});
