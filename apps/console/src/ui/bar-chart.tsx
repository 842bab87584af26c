import { figures } from './values.ts';
import { hint } from './hints.tsx';

interface BarSeries {
  readonly name: string;
  readonly color: string;
  /** One value for each bar position; nothing is drawn for 0. */
  readonly values: readonly number[];
}

interface BarChartProps {
  /** Describes the chart for people who cannot see it. */
  readonly label: string;
  /** The labels below the bars. */
  readonly places: readonly string[];
  /** The series, stacked upwards in this order. */
  readonly series: readonly BarSeries[];
  /** Returns the tooltip for the bars at an index of `places`. */
  readonly hintOf: (place: number) => string;
  readonly height?: number;
}

/** Height of the picture in units of its `viewBox`. */
const tall = 1_000;
const barWidth = 0.8;

/** A chart of stacked bars, with one path for each series. The browser stretches the chart to the available width. */
export function BarChart({ label, places, series, hintOf, height = 280 }: BarChartProps) {
  const sums = places.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0));
  const ticks = ticksUpTo(Math.max(...sums));
  const top = ticks.at(-1)!;
  const ground = places.map(() => 0);
  const paths = series.map(({ values }) => values.map((value, place) => {
    if (value <= 0) return '';
    const from = ground[place]!;
    ground[place] = from + value;
    const [low, high] = [from, from + value].map((amount) => rounded(tall - (amount / top) * tall));
    return `M${rounded(place + (1 - barWidth) / 2)} ${low}V${high}h${barWidth}V${low}z`;
  }).join(''));
  return (
    <div role="img" aria-label={label} className="chart" style={{ height }}>
      <div className="chart-scale">{ticks.map((tick) => <span key={tick}>{figures.format(tick)}</span>)}</div>
      <svg viewBox={`0 0 ${places.length} ${tall}`} preserveAspectRatio="none">
        <path
          className="chart-grid"
          d={ticks.map((tick) => `M0 ${rounded(tall - (tick / top) * tall)}H${places.length}`).join('')}
        />
        {series.map(({ name, color }, index) => <path key={index} data-series={name} fill={color} d={paths[index]} />)}
        {places.map((place, index) => <rect key={place} x={index} width={1} height={tall} {...hint(hintOf(index))} />)}
      </svg>
      <div className="chart-places">{places.map((place) => <span key={place}>{place}</span>)}</div>
    </div>
  );
}

const rounded = (amount: number) => Number(amount.toFixed(3));

/** Returns four to six round amounts. The first is 0, the last is at least `largest`. */
function ticksUpTo(largest: number): number[] {
  const rough = (largest || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  return Array.from({ length: Math.ceil((largest || 1) / step - 1e-9) + 1 }, (_, index) => index * step);
}
