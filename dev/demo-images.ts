import sharp from 'sharp';

/** Pictures of the demo's ads: shapes only, because a bare machine has no fonts. */
export type Scene = 'boat' | 'lantern' | 'coffee' | 'mountain' | 'rope' | 'lighthouse';

const SKIES: Record<Scene, [top: string, bottom: string]> = {
  boat: ['#f6b26b', '#fbe5c8'],
  lantern: ['#0b1d3a', '#3b5b92'],
  coffee: ['#f3e3d3', '#e2c3a5'],
  mountain: ['#8ec5ff', '#eaf6ff'],
  rope: ['#dfeee6', '#b7d3c4'],
  lighthouse: ['#20345c', '#e08a5b'],
};

const SHAPES: Record<Scene, string> = {
  boat: `<circle cx="225" cy="75" r="28" fill="#fff3d6"/>
    <path d="M0 165 Q75 150 150 165 T300 165 V250 H0 Z" fill="#1f5f8b"/>
    <path d="M0 190 Q75 175 150 190 T300 190 V250 H0 Z" fill="#174a6e"/>
    <path d="M138 60 V160 H70 Z" fill="#ffffff"/><path d="M146 80 V160 H195 Z" fill="#dfe9f2"/>
    <path d="M60 168 H205 L182 194 H82 Z" fill="#7a3b1d"/>`,
  lantern: `<circle cx="150" cy="120" r="95" fill="#ffd27a" opacity=".18"/>
    <circle cx="150" cy="120" r="60" fill="#ffd27a" opacity=".35"/>
    <path d="M125 85 h50 l12 75 h-74 Z" fill="#ffe9b8"/><path d="M118 78 h64 v10 h-64 Z" fill="#5b3a1e"/>
    <path d="M108 160 h84 v12 h-84 Z" fill="#5b3a1e"/><path d="M136 78 a14 16 0 0 1 28 0" fill="none" stroke="#5b3a1e" stroke-width="5"/>
    <path d="M0 215 H300 V250 H0 Z" fill="#071226"/>`,
  coffee: `<path d="M80 110 h120 v55 a45 45 0 0 1 -45 45 h-30 a45 45 0 0 1 -45 -45 Z" fill="#ffffff"/>
    <path d="M200 122 h14 a24 24 0 0 1 0 48 h-16" fill="none" stroke="#ffffff" stroke-width="12"/>
    <ellipse cx="140" cy="112" rx="56" ry="10" fill="#5a3217"/>
    <path d="M115 85 q12 -18 0 -36 M140 85 q12 -18 0 -36 M165 85 q12 -18 0 -36" fill="none" stroke="#8d6748" stroke-width="6" stroke-linecap="round"/>
    <ellipse cx="140" cy="220" rx="95" ry="12" fill="#b98b62"/>`,
  mountain: `<circle cx="60" cy="60" r="24" fill="#ffe27a"/>
    <path d="M0 220 L95 90 L150 165 L205 70 L300 210 V250 H0 Z" fill="#4f7d5c"/>
    <path d="M95 90 L120 125 L95 118 L75 118 Z M205 70 L232 110 L205 102 L183 106 Z" fill="#ffffff"/>
    <path d="M0 225 Q150 200 300 225 V250 H0 Z" fill="#2f5a3f"/>`,
  rope: `<path d="M150 -120 V70" stroke="#8a5a2b" stroke-width="15"/><path d="M150 -120 V70" stroke="#d9b27c" stroke-width="9" stroke-dasharray="7 4"/>
    <g fill="none"><circle cx="150" cy="135" r="66" stroke="#8a5a2b" stroke-width="19"/><circle cx="150" cy="135" r="66" stroke="#d9b27c" stroke-width="12" stroke-dasharray="9 5"/>
    <circle cx="150" cy="135" r="44" stroke="#8a5a2b" stroke-width="19"/><circle cx="150" cy="135" r="44" stroke="#e6c594" stroke-width="12" stroke-dasharray="9 5"/>
    <circle cx="150" cy="135" r="22" stroke="#8a5a2b" stroke-width="19"/><circle cx="150" cy="135" r="22" stroke="#d9b27c" stroke-width="12" stroke-dasharray="9 5"/></g>
    <path d="M0 225 H300 V400 H0 Z" fill="#6b8f7d"/>`,
  lighthouse: `<circle cx="150" cy="52" r="70" fill="#ffe9b8" opacity=".22"/><path d="M150 52 L-60 0 V90 Z" fill="#ffe9b8" opacity=".28"/><path d="M150 52 L360 10 V100 Z" fill="#ffe9b8" opacity=".28"/>
    <path d="M134 62 h32 l10 138 h-52 Z" fill="#fff8ee"/><path d="M131 96 h38 l3 30 h-44 Z" fill="#c8402f"/><path d="M127 154 h46 l3 30 h-52 Z" fill="#c8402f"/>
    <path d="M136 40 h28 v22 h-28 Z" fill="#ffe27a"/><path d="M130 40 L150 22 L170 40 Z" fill="#7a2a1f"/>
    <path d="M0 205 Q75 190 150 200 T300 205 V400 H0 Z" fill="#123a5a"/>`,
};

/** Those that stand free are shown whole; the others reach to the edges. */
const FREE: readonly Scene[] = ['coffee'];

export async function drawScene(scene: Scene, width: number, height: number): Promise<Buffer> {
  // Strangers' SVG is refused for a whole process (activities/providers/image-codec.ts); this is our own.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  const [top, bottom] = SKIES[scene];
  const isWhole = FREE.includes(scene) && height > width;
  const sky = isWhole ? 'y="-900" height="2050"' : 'height="250"';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
      viewBox="0 0 300 250" preserveAspectRatio="xMidYMid ${isWhole ? 'meet' : 'slice'}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/>
    </linearGradient></defs>
    <rect x="-900" width="2100" ${sky} fill="url(#sky)"/>${SHAPES[scene]}</svg>`;
  return await sharp(Buffer.from(svg)).png().toBuffer();
}
