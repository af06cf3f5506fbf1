import sharp from 'sharp';

/** A picture of its own for the demo's ad: shapes only, because a bare machine has no fonts. */
export async function drawDemoImage(width: number, height: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 300 250">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#f6b26b"/><stop offset="1" stop-color="#fbe5c8"/>
    </linearGradient></defs>
    <rect width="300" height="250" fill="url(#sky)"/>
    <circle cx="225" cy="75" r="28" fill="#fff3d6"/>
    <path d="M0 165 Q75 150 150 165 T300 165 V250 H0 Z" fill="#1f5f8b"/>
    <path d="M0 190 Q75 175 150 190 T300 190 V250 H0 Z" fill="#174a6e"/>
    <path d="M138 60 V160 H70 Z" fill="#ffffff"/>
    <path d="M146 80 V160 H195 Z" fill="#dfe9f2"/>
    <path d="M60 168 H205 L182 194 H82 Z" fill="#7a3b1d"/>
  </svg>`;
  return await sharp(Buffer.from(svg)).png().toBuffer();
}
