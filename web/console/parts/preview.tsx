import { Image, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import classes from './preview.module.css';

export interface Previewed {
  name: string;
  width?: number | null;
  height?: number | null;
  image_url?: string | null;
  image_url_2?: string | null;
  icon_url?: string | null;
  video_url?: string | null;
  html5_url?: string | null;
  html_code?: string | null;
  vast_url?: string | null;
}

/**
 * A creative as a viewer sees it. Strangers' code runs in a frame of an opaque origin: it may run
 * scripts, and reaches neither this page nor its session.
 */
export function Preview({ creative }: { creative: Previewed }) {
  const { name, width, height } = creative;
  const size = { width: width ?? 300, height: height ?? 250 };
  const images = [creative.image_url, creative.image_url_2, creative.icon_url].filter(
    (url) => typeof url === 'string',
  );
  return (
    <Stack gap="xs" align="flex-start" className={classes['preview']}>
      {images.map((url, at) => (
        <div key={url} className={classes['image']}>
          {at === 0 && <Room of={creative} />}
          <Image src={url} alt={name} w="auto" maw="100%" fit="contain" />
        </div>
      ))}
      {typeof creative.video_url === 'string' && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what is reviewed has none
        <video src={creative.video_url} controls preload="metadata" className={classes['video']} />
      )}
      {typeof creative.html5_url === 'string' && (
        <iframe title={name} src={creative.html5_url} sandbox="allow-scripts" {...size} />
      )}
      {typeof creative.html_code === 'string' && creative.html_code !== '' && (
        <Sandbox name={name} html={creative.html_code} {...size} />
      )}
      {typeof creative.vast_url === 'string' && <Text size="sm">{creative.vast_url}</Text>}
      {width !== null && width !== undefined && (
        <Text size="xs" c="dimmed">
          {width} × {height}
        </Text>
      )}
    </Stack>
  );
}

/** What stands below a picture stays where it is when the picture comes; one of another size than was said is shown at its own. */
function Room({ of: { width, height } }: { of: Previewed }) {
  if (typeof width !== 'number' || typeof height !== 'number') return null;
  return <span aria-hidden style={{ width, aspectRatio: `${width} / ${height}` }} />;
}

/** A frame of this page would inherit its policy, which lets no stranger's script run. */
function Sandbox({
  name,
  html,
  ...size
}: {
  name: string;
  html: string;
  width: number;
  height: number;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  return (
    <iframe
      key={html}
      ref={frame}
      title={name}
      src="/console/sandbox.html"
      sandbox="allow-scripts"
      // Its origin is opaque, so it can be named by nothing but `*`.
      onLoad={() => frame.current?.contentWindow?.postMessage({ html }, '*')}
      {...size}
    />
  );
}
