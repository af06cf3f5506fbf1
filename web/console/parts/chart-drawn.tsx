import { useComputedColorScheme } from '@mantine/core';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import type { ChartProps } from './chart.tsx';

register([LineChart, BarChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

const COLOURS = {
  light: ['#1c4ed8', '#b45309', '#0f766e', '#9d174d', '#4d4d57'],
  dark: ['#8fb4ff', '#f0b35e', '#5eead4', '#f9a8d4', '#c4c4cc'],
};

/** On a phone; more stand in two lines. */
const NAMES_IN_A_LINE = 3;

export function ChartDrawn({ label, at, series, kind = 'line', format = String }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  // The library draws outside React, and must hear of size and of its end.
  useEffect(() => {
    if (box.current === null) return undefined;
    const chart = init(box.current, scheme === 'dark' ? 'dark' : undefined);
    chart.setOption({
      backgroundColor: 'transparent',
      animation: false,
      color: COLOURS[scheme],
      grid: {
        left: 8,
        right: 12,
        top: series.length > NAMES_IN_A_LINE ? 52 : 28,
        bottom: 4,
        outerBoundsMode: 'same',
      },
      legend: { top: 0 },
      // Text drawn on the canvas: the page's policy takes no markup with styles of its own.
      tooltip: {
        trigger: 'axis',
        renderMode: 'richText',
        valueFormatter: (value: unknown) => format(Number(value)),
      },
      xAxis: { type: 'category', data: [...at] },
      yAxis: { type: 'value', axisLabel: { formatter: (value: number) => format(value) } },
      series: series.map(({ name, values, isComparison }) => ({
        name,
        type: kind,
        data: [...values],
        showSymbol: at.length < 40,
        sampling: 'lttb',
        lineStyle: { type: isComparison === true ? 'dashed' : 'solid' },
      })),
    });
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [at, series, kind, format, scheme]);
  return <div ref={box} role="img" aria-label={label} style={{ width: '100%', height: 260 }} />;
}
