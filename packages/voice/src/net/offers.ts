/** A call that reached the carrier. */
export interface Offer {
  /** The carrier's own id of it. */
  id: string;
  to: string;
  from: string;
  /** Random, for a carrier that may use an id twice. */
  nonce?: string;
}

/** The answer of another runtime. `document`: it answers the call at a carrier that gets one. */
export type OfferAnswer = { document?: string } | { refusal: string };
