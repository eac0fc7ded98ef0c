/** An answer as it goes out, kept for those who ask again. */
export interface KeptAnswer {
  status: number;
  body: object;
  location?: string;
}

/** The header of an answer that was given before. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** What a handler returns whose answer was given before. */
export class Replayed {
  constructor(readonly answer: KeptAnswer) {}
}
