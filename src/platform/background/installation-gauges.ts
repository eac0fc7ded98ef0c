import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../monitoring/metrics';
import { BackgroundLoops } from './background-loops';

const READ_EVERY_MS = 10_000;

/** The counts by the value of the label; without a label, one number. */
type Figures = number | Map<string, number>;

interface GaugeOptions {
  name: string;
  help: string;
  label?: string;
  /** Reads the figures of the whole installation, at a bounded cost. */
  read: () => Promise<Figures>;
}

/**
 * Gauges of the whole installation. Each process with the role `background` reads them at intervals, so that a scrape
 * costs nothing. They are the same in all processes, so several are not added up.
 */
@Injectable()
export class InstallationGauges {
  constructor(
    private readonly metrics: Metrics,
    private readonly loops: BackgroundLoops,
  ) {}

  add({ name, help, label, read }: GaugeOptions): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: label ? [label] : [],
      registers: [this.metrics.registry],
      aggregator: 'max',
    });
    const update = async () => {
      const figures = await read();
      gauge.reset();
      if (typeof figures === 'number') gauge.set(figures);
      else for (const [value, figure] of figures) gauge.set({ [label ?? '']: value }, figure);
    };
    this.loops.start(update, READ_EVERY_MS, `The metric ${name} could not be read; the next attempt follows`);
  }
}
