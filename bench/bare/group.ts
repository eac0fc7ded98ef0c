interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface GroupOptions {
  largest: number;
  /** The number of groups that run at once. */
  concurrent: number;
}

/** Items that arrive while groups run share the next group. */
export class Group<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;

  /** @param work returns the results in the order of the items */
  constructor(
    private readonly options: GroupOptions,
    private readonly work: (items: Item[]) => Promise<Result[]>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // The requests that arrive in the same turn of the event loop share a group.
      if (this.waiting.length === 1) setImmediate(() => this.start());
    });
  }

  private start(): void {
    while (this.waiting.length > 0 && this.underWay < this.options.concurrent) {
      void this.run(this.waiting.splice(0, this.options.largest));
    }
  }

  private async run(group: Waiting<Item, Result>[]): Promise<void> {
    this.underWay += 1;
    try {
      const results = await this.work(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.underWay -= 1;
    this.start();
  }
}
