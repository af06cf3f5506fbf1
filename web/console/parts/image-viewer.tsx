import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { viewer } from '../texts/viewer.ts';
import { Loading } from './loading.tsx';
import { useTexts } from './texts.ts';
import { LargeViewer, Viewer } from './viewer.tsx';

interface Props {
  name: string;
  url: string;
  beside?: ReactNode;
  /** Over the whole window at once, until it is closed. */
  close?: () => void;
}

/** A picture to be looked at closely. */
export function ImageViewer({ name, url, beside, close }: Props) {
  const t = useTexts(viewer);
  const size = useSizeOf(url);
  if (size === null) return close === undefined && <Loading height={240} />;
  if (size === 'unreadable') return <Text size="sm">{t.unreadable}</Text>;
  const sheets = [
    { key: url, ...size, draw: () => <img src={url} alt={name} draggable={false} /> },
  ];
  const shown = { name, sheets, beside };
  return close === undefined ? <Viewer {...shown} /> : <LargeViewer {...shown} close={close} />;
}

interface Size {
  width: number;
  height: number;
}

function useSizeOf(url: string): Size | 'unreadable' | null {
  const [size, setSize] = useState<Size | 'unreadable' | null>(null);
  // Only the browser knows it, once it has the picture.
  useEffect(() => {
    const image = new Image();
    image.addEventListener('load', () =>
      setSize({ width: image.naturalWidth, height: image.naturalHeight }),
    );
    image.addEventListener('error', () => setSize('unreadable'));
    image.src = url;
    return () => image.removeAttribute('src');
  }, [url]);
  return size;
}
