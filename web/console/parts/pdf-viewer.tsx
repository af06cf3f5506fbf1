import { useIntersection, useMergedRef } from '@mantine/hooks';
import { Text } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFPageProxy, version } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite makes it an address
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { viewer } from '../texts/viewer.ts';
import { Loading } from './loading.tsx';
import { useTexts } from './texts.ts';
import { Viewer } from './viewer.tsx';
import classes from './viewer.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

/** What documents use without having it in them: served beside the console's own files (web/build.ts). */
const FILES = `${import.meta.env.BASE_URL}assets/pdf-${version}/`;
/** A document's point is 1/72 inch, a screen's 1/96. */
const PIXELS_PER_POINT = 96 / 72;
/** More than this in one canvas, browsers draw nothing. */
const PIXELS_MAX = 16_000_000;
/** Strangers send documents of ten thousand pages: a reviewer reads so many here, and the rest in the file. */
const PAGES_MAX = 50;

/** A document of somebody else as pictures of its pages: nothing in it runs, and no link leads away. */
export function PdfViewer({
  name,
  blob,
  beside,
}: {
  name: string;
  blob: Blob;
  beside?: ReactNode;
}) {
  const t = useTexts(viewer);
  const opened = useOpened(blob);
  if (opened === null) return <Loading height={240} />;
  if (opened === 'unreadable') return <Text size="sm">{t.unreadable}</Text>;
  const { pages, count } = opened;
  const sheets = pages.map((page, index) => {
    const { width, height } = page.getViewport({ scale: PIXELS_PER_POINT });
    const label = t.page(index + 1, count);
    return {
      key: label,
      width,
      height,
      draw: (wide: number, high: number) => (
        <PdfPage page={page} label={label} width={wide} height={high} />
      ),
    };
  });
  const isCut = count > pages.length;
  return (
    <>
      {isCut && <Text size="sm">{t.cut(pages.length, count)}</Text>}
      <Viewer name={name} sheets={sheets} pages={count} beside={beside} />
    </>
  );
}

interface Opened {
  /** The first of them, at most `PAGES_MAX`. */
  pages: readonly PDFPageProxy[];
  /** How many it has. */
  count: number;
}

function useOpened(blob: Blob): Opened | 'unreadable' | null {
  const [opened, setOpened] = useState<Opened | 'unreadable' | null>(null);
  // A document is opened by a worker of its own, which goes with it.
  useEffect(() => {
    let destroy: (() => Promise<void>) | undefined;
    let isGone = false;
    const open = async (): Promise<Opened> => {
      const data = new Uint8Array(await blob.arrayBuffer());
      const task = getDocument({
        data,
        cMapUrl: `${FILES}cmaps/`,
        standardFontDataUrl: `${FILES}standard_fonts/`,
        wasmUrl: `${FILES}wasm/`,
        // The page's policy lets neither eval nor WebAssembly run, nor a worker fetch.
        isEvalSupported: false,
        useWasm: false,
        useWorkerFetch: false,
        enableXfa: false,
      });
      destroy = async () => await task.destroy();
      if (isGone) await task.destroy();
      const document = await task.promise;
      const { numPages: count } = document;
      const numbers = Array.from({ length: Math.min(count, PAGES_MAX) }, (_, index) => index + 1);
      const pages = numbers.map(async (number) => await document.getPage(number));
      return { pages: await Promise.all(pages), count };
    };
    open().then(
      (result) => !isGone && setOpened(result),
      () => !isGone && setOpened('unreadable'),
    );
    return () => {
      isGone = true;
      void destroy?.();
    };
  }, [blob]);
  return opened;
}

function PdfPage(props: { page: PDFPageProxy; label: string; width: number; height: number }) {
  const { page, label, width, height } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { ref: seen, entry } = useIntersection({ rootMargin: '50%' });
  const isNear = entry?.isIntersecting === true;
  // Painted by hand once it is nearly seen, and anew for each size; what is far away holds no pixels.
  useEffect(() => {
    const { current } = canvas;
    if (current === null) return undefined;
    if (!isNear) {
      current.width = 0;
      delete current.dataset['drawn'];
      return undefined;
    }
    const finest = Math.sqrt(PIXELS_MAX / (width * height));
    const density = Math.min(window.devicePixelRatio, finest);
    current.width = Math.max(1, Math.floor(width * density));
    current.height = Math.max(1, Math.floor(height * density));
    const scale = current.width / page.getViewport({ scale: 1 }).width;
    const task = page.render({ canvas: current, viewport: page.getViewport({ scale }) });
    task.promise.then(
      () => {
        current.dataset['drawn'] = '';
      },
      // Another size was asked for meanwhile.
      () => undefined,
    );
    return () => task.cancel();
  }, [page, width, height, isNear]);
  return (
    <canvas
      ref={useMergedRef(canvas, seen)}
      role="img"
      aria-label={label}
      className={classes['pdf']}
    />
  );
}
