import { durationText } from '../../ui/moment';
import { useNow } from '../../ui/use-now';

/** The time since a moment, which counts up. */
export const Elapsed = ({ since }: { since: number }) => durationText(Math.max(0, useNow() - since) / 1_000);
