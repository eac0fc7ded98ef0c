import { texts } from '../../texts';
import { SampledValue } from '../../domain/sampled-value';
import { smallText } from '../../domain/small-sample';
import styles from './list/agents.module.css';

interface Props {
  part: number;
  whole: number;
  isBad?: boolean;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** A share in percent. */
export const Share = ({ part, whole, isBad = false }: Props) =>
  whole === 0 ? (
    texts.common.none
  ) : (
    <SampledValue small={smallText('calls', whole)}>
      <span title={`${part} / ${whole}`} className={isBad && part > 0 ? styles.bad : undefined}>
        {percent.format(part / whole)}
      </span>
    </SampledValue>
  );
