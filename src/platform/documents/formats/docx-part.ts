import { Parser } from 'htmlparser2';

/** Elements whose text Word shows and mammoth ignores: simple fields, directions and annotated characters. */
const IGNORED = /(<\/?(?:\w+:)?)(?:fldSimple|dir|bdo|ruby|rubyBase)(?=[\s/>])/g;

/** Styles may be based on each other in a circle. */
const MAX_STYLE_DEPTH = 11;

interface XmlElement {
  /** Without the prefix of its namespace. */
  name: string;
  start: number;
  parent?: XmlElement;
  /** The paragraph that it is or is in. */
  paragraph?: XmlElement;
  /** Whether its text is hidden; undefined if it does not say. */
  isHidden?: boolean;
}

type Attributes = Record<string, string>;

interface Visitor {
  open: (element: XmlElement, attributes: Attributes) => void;
  /** @param end the position after the element */
  close?: (element: XmlElement, end: number) => void;
}

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Reads XML as a stream, in linear time. The names have no prefixes, because a document chooses these. */
function walk(xml: string, { open, close }: Visitor): void {
  let current: XmlElement | undefined;
  const parser = new Parser(
    {
      onopentag: (fullName, attributes) => {
        const [name, parent] = [toLocalName(fullName), current];
        current = { name, start: parser.startIndex, parent, paragraph: parent?.paragraph };
        if (name === 'p') current.paragraph = current;
        const entries = Object.entries(attributes).map(([key, value]) => [toLocalName(key), value]);
        open(current, Object.fromEntries(entries) as Attributes);
      },
      onclosetag: () => {
        if (current) close?.(current, parser.endIndex + 1);
        current = current?.parent;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

/** ST_OnOff (ECMA-376, part 1, 22.9.2.7): an element without a value is on. */
const isOn = ({ val = '' }: Attributes) => !['0', 'false', 'off'].includes(val);

/** The run or style that a property belongs to, and not what it was before a tracked change. */
function ownerOf({ parent }: XmlElement, properties: string, owner: string): XmlElement | undefined {
  return parent?.name === properties && parent.parent?.name === owner ? parent.parent : undefined;
}

/** The ids of the styles whose text is hidden, in the XML of the styles. */
export function findHiddenStyles(xml: string): Set<string> {
  const styles = new Map<string, XmlElement>();
  const bases = new Map<XmlElement, string>();
  walk(xml, {
    open: (element, attributes) => {
      const { name, parent } = element;
      if (name === 'style') styles.set(attributes.styleId ?? '', element);
      if (name === 'basedOn' && parent) bases.set(parent, attributes.val ?? '');
      const style = name === 'vanish' ? ownerOf(element, 'rPr', 'style') : undefined;
      if (style) style.isHidden = isOn(attributes);
    },
  });
  const isHidden = (style: XmlElement | undefined, depth = 0): boolean =>
    style?.isHidden ??
    (style !== undefined &&
      depth < MAX_STYLE_DEPTH &&
      isHidden(styles.get(bases.get(style) ?? ''), depth + 1));
  return new Set([...styles].filter(([, style]) => isHidden(style)).map(([id]) => id));
}

/** Removes the runs that Word hides, by themselves (`w:vanish`) or by their style. */
function removeHiddenRuns(xml: string, hiddenStyles: Set<string>): string {
  const cuts: { start: number; end: number }[] = [];
  walk(xml, {
    open: (element, attributes) => {
      const { name } = element;
      if (name !== 'vanish' && name !== 'rStyle' && name !== 'pStyle') return;
      const owner = name === 'pStyle' ? ownerOf(element, 'pPr', 'p') : ownerOf(element, 'rPr', 'r');
      if (!owner) return;
      if (name === 'vanish') owner.isHidden = isOn(attributes);
      else if (hiddenStyles.has(attributes.val ?? '')) owner.isHidden ??= true;
    },
    close: ({ name, start, isHidden, paragraph }, end) => {
      if (name !== 'r' || !(isHidden ?? paragraph?.isHidden)) return;
      // A text box is in a run, and has runs.
      while ((cuts.at(-1)?.start ?? -1) > start) cuts.pop();
      cuts.push({ start, end });
    },
  });
  const starts = [0, ...cuts.map(({ end }) => end)];
  return starts.map((start, index) => xml.slice(start, cuts[index]?.start)).join('');
}

/** Makes the XML of a document, or of its notes, such that mammoth finds the text that Word shows, and no other. */
export function toShownXml(xml: string, hiddenStyles: Set<string>): string {
  const shown = hiddenStyles.size > 0 || xml.includes('vanish') ? removeHiddenRuns(xml, hiddenStyles) : xml;
  // mammoth reads what is in a smart tag.
  return shown.replace(IGNORED, '$1smartTag');
}
