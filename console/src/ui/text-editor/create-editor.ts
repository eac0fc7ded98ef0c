import {
  autocompletion,
  closeCompletion,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  Direction,
  EditorView,
  keymap,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { texts } from '../../texts';
import { theme } from './theme';

interface Attributes {
  label: string;
  isInvalid: boolean;
  isReadOnly: boolean;
}

/** The settings that can change while the editor is open. */
export interface EditorSettings extends Attributes {
  /** Read by screen readers after the label. */
  description: string;
  /** The names of the variables that calls fill. */
  variables: string[];
}

export interface Editor {
  /** Shows a text that was not typed here. */
  setText: (text: string) => void;
  describe: (description: string) => void;
  setAttributes: (attributes: Attributes) => void;
  setVariables: (names: string[]) => void;
  focus: () => void;
  openFind: () => void;
  goToLine: (line: number) => void;
  destroy: () => void;
}

const VARIABLE = /\{\{([^{}]{1,200})\}\}/g;
const UNFINISHED_VARIABLE = /\{\{[^{}\n]*/;
const HEADING = /^#{1,6}\s/;

const fromOutside = Annotation.define<boolean>();

/** Colours the variables, and underlines the undeclared ones. */
function markVariables(names: string[]): Extension {
  const mark = (className: string, title?: string) =>
    Decoration.mark({
      class: className,
      // A name between braces keeps its order in a text from right to left.
      attributes: { dir: 'ltr', ...(title && { title }) },
      bidiIsolate: Direction.LTR,
    });
  const declared = mark('cm-variable');
  const unknown = mark('cm-variable cm-unknown', texts.editor.notDeclared);
  const known = new Set(names);
  const matcher = new MatchDecorator({
    regexp: VARIABLE,
    decoration: ([, name = '']) => (known.has(name.trim()) ? declared : unknown),
  });
  return ViewPlugin.define(
    (view) => ({
      marks: matcher.createDeco(view),
      update(update: ViewUpdate) {
        this.marks = matcher.updateDeco(update, this.marks);
      },
    }),
    {
      decorations: ({ marks }) => marks,
      provide: (plugin) =>
        EditorView.bidiIsolatedRanges.of((view) => view.plugin(plugin)?.marks ?? Decoration.none),
    },
  );
}

/** Each line has the direction of its own text, and headings are bold. */
const lines = ViewPlugin.define(
  (view) => ({
    marks: decorateLines(view),
    update({ docChanged, viewportChanged, view: shown }: ViewUpdate) {
      if (docChanged || viewportChanged) this.marks = decorateLines(shown);
    },
  }),
  { decorations: ({ marks }) => marks },
);

const plainLine = Decoration.line({ attributes: { dir: 'auto' } });
const headingLine = Decoration.line({ attributes: { dir: 'auto' }, class: 'cm-heading' });

function decorateLines({ visibleRanges, state }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      marks.add(line.from, line.from, HEADING.test(line.text) ? headingLine : plainLine);
      at = line.to + 1;
    }
  }
  return marks.finish();
}

/** Completes the names of the variables after two braces. */
const completeVariables = (names: string[]) => (context: CompletionContext) => {
  const typed = context.matchBefore(UNFINISHED_VARIABLE);
  if (!typed) return null;
  const closing = context.state.sliceDoc(context.pos, context.pos + 2) === '}}' ? '' : '}}';
  return {
    from: typed.from + 2,
    options: names.map((label) => ({ label, apply: label + closing })),
    validFor: /^[^{}\n]*$/,
  };
};

const getAttributes = ({ label, isInvalid, isReadOnly }: Attributes, descriptionId: string): Extension => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-describedby': descriptionId,
    spellcheck: 'true',
    tabindex: '0',
    ...(isInvalid && { 'aria-invalid': 'true' }),
  }),
];

const knowVariables = (names: string[]): Extension => [
  markVariables(names),
  autocompletion({ override: [completeVariables(names)], icons: false }),
];

/**
 * An editor in a shadow root, where its styles are adopted style sheets. In the document they would be an element,
 * which the content security policy forbids.
 */
export function createEditor(
  root: ShadowRoot,
  text: string,
  settings: EditorSettings,
  onChange: (text: string) => void,
): Editor {
  const description = document.createElement('p');
  description.id = 'description';
  description.hidden = true;
  description.textContent = settings.description;
  const attributes = new Compartment();
  const variables = new Compartment();
  // The texts that were typed here and have not come back as the text of the field yet.
  let sent: string[] = [];
  const view = new EditorView({
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        search({ top: true }),
        // Tab is not among the keys: it leaves the editor, as it leaves a field.
        keymap.of([...completionKeymap, ...searchKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorState.phrases.of(texts.editor.phrases),
        lines,
        theme,
        attributes.of(getAttributes(settings, description.id)),
        variables.of(knowVariables(settings.variables)),
        EditorView.domEventHandlers({ blur: (_, shown) => void closeCompletion(shown) }),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (!docChanged || transactions.some((change) => change.annotation(fromOutside))) return;
          const typed = state.doc.toString();
          sent.push(typed);
          onChange(typed);
        }),
      ],
    }),
  });
  root.append(description, view.dom);
  return {
    setText: (next) => {
      const place = sent.indexOf(next);
      sent = sent.slice(place + 1);
      if (place !== -1 || next === view.state.doc.toString()) return;
      sent = [];
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: fromOutside.of(true),
      });
    },
    describe: (next) => {
      description.textContent = next;
    },
    setAttributes: (next) =>
      view.dispatch({ effects: attributes.reconfigure(getAttributes(next, description.id)) }),
    setVariables: (names) => view.dispatch({ effects: variables.reconfigure(knowVariables(names)) }),
    focus: () => view.focus(),
    openFind: () => void openSearchPanel(view),
    goToLine: (number) => {
      const { from } = view.state.doc.line(Math.min(number, view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'start' }),
      });
      view.focus();
    },
    destroy: () => {
      view.destroy();
      root.replaceChildren();
    },
  };
}
