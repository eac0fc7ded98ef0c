import { Link } from 'wouter';
import { texts } from '../texts';
import { isE164 } from './phone-number';

/** A number that leads to the page of its person. A person without a number, such as an erased one, has no page. */
export const PersonLink = ({ number }: { number: string }) =>
  isE164(number) ? (
    <Link href={`/people/${number}`} title={texts.people.linkTo(number)}>
      {number}
    </Link>
  ) : (
    number
  );
