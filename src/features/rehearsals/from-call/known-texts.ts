/** A known text that begins at a word. */
export interface FoundText {
  standIn: string;
  /** The number of its words. */
  length: number;
}

/** The words of known texts from the last one to the first, so the words behind a word say what begins at it. */
interface Node {
  next: Map<string, Node>;
  /** The longest other node whose words, read forward, are the first ones of this one. */
  shorter: Node | null;
  /** The text that these words are. */
  own?: FoundText;
  /** The longest text with which these words begin. */
  longest?: FoundText;
}

const createNode = (): Node => ({ next: new Map(), shorter: null });

/** Finds known texts in others in linear time, however long both are, by the automaton of Aho and Corasick. */
export class KnownTexts {
  private readonly root = createNode();
  private isLinked = true;

  /** Adds a text by its words. One that is known keeps its stand-in. */
  add(words: readonly string[], standIn: string): void {
    if (words.length === 0) return;
    let node = this.root;
    for (let at = words.length - 1; at >= 0; at -= 1) {
      const word = words[at] as string;
      const next = node.next.get(word) ?? createNode();
      node.next.set(word, next);
      node = next;
    }
    node.own ??= { standIn, length: words.length };
    this.isLinked = false;
  }

  /** @returns the stand-in of a text that is known as a whole */
  get(words: readonly string[]): string | undefined {
    let node: Node | undefined = this.root;
    for (let at = words.length - 1; at >= 0; at -= 1) node = node?.next.get(words[at] as string);
    return node?.own?.standIn;
  }

  /** @returns for each word the longest known text that begins at it */
  find(words: readonly string[]): (FoundText | undefined)[] {
    this.link();
    const found: (FoundText | undefined)[] = words.map(() => undefined);
    let node = this.root;
    for (let at = words.length - 1; at >= 0; at -= 1) {
      node = this.follow(node, words[at] as string);
      found[at] = node.longest;
    }
    return found;
  }

  private follow(from: Node | null, word: string): Node {
    for (let node = from; node; node = node.shorter) {
      const next = node.next.get(word);
      if (next) return next;
    }
    return this.root;
  }

  private link(): void {
    if (this.isLinked) return;
    // The shorter ones come first, so that what a node refers to is complete.
    const nodes = [this.root];
    for (const node of nodes)
      for (const [word, next] of node.next) {
        next.shorter = this.follow(node.shorter, word);
        next.longest = next.own ?? next.shorter.longest;
        nodes.push(next);
      }
    this.isLinked = true;
  }
}
