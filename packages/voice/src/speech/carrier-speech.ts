/** The language of a call, for a carrier that hears and speaks. */
export interface CallSpeech {
  /** ISO 639-1, or with a country. */
  language: string;
  /** The voice of ElevenLabs that the agent names; '': none. */
  voice: string;
  terms: readonly string[];
  /** Whether the person may speak other languages, too, and is answered in them. */
  isMultilingual?: boolean;
}

/** A carrier's own hearing and voice. */
export interface CarrierSpeech {
  /** @returns the first terms, as many as the carrier takes for such a call */
  cutTerms(terms: readonly string[], speech: Pick<CallSpeech, 'voice' | 'isMultilingual'>): string[];
}
