import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Loading } from './loading.tsx';
import { common } from '../texts/common.ts';
import { Failed } from './failed.tsx';
import { ImageShown } from './image-shown.tsx';
import { useTexts } from './texts.ts';

/** What draws documents is large, and most papers are pictures. */
const PdfViewer = lazy(async () => ({ default: (await import('./pdf-viewer.tsx')).PdfViewer }));

/** A file that only a session may read: fetched with it, shown here, and forgotten with the page. */
export function SecretFile({
  name,
  mime,
  id,
  beside,
  fetchFile,
}: {
  name: string;
  mime: string;
  /** Tells it from others for as long as the page is open. */
  id: string;
  /** What it is held against while it fills the window. */
  beside?: ReactNode;
  fetchFile: () => Promise<Blob>;
}) {
  const t = useTexts(common);
  const { data, error, refetch } = useQuery({
    queryKey: ['secret-file', id],
    queryFn: fetchFile,
    // Each look is on record: nothing is fetched twice, nothing is kept.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [url, setUrl] = useState<string | null>(null);
  // The browser holds the bytes under an address until it is told to let go.
  useEffect(() => {
    if (data === undefined) return undefined;
    const made = URL.createObjectURL(data.type === '' ? new Blob([data], { type: mime }) : data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data, mime]);
  if (error !== null) return <Failed error={error} again={() => void refetch()} />;
  if (url === null || data === undefined) return <Loading height={240} />;
  return (
    <>
      {mime === 'application/pdf' ? (
        <Suspense fallback={<Loading height={240} />}>
          <PdfViewer name={name} blob={data} beside={beside} />
        </Suspense>
      ) : (
        <ImageShown name={name} url={url} beside={beside} />
      )}
      <Anchor size="sm" href={url} download={name}>
        {t.download}
      </Anchor>
    </>
  );
}
