/** What all sounds of the page are made of: tones that are struck, and noise behind a filter. */

/** As loud as one stroke is at most. */
const LOUDNESS = 0.16;
/** Where a stroke and all that it brings have faded away. */
const SILENCE = 0.0001;

/** The overtones of what is struck: [times its note, how loud, how long]. */
const BODIES = {
  bar: [[1, 1, 1], [3.93, 0.22, 0.2], [9.2, 0.06, 0.06]],
  bell: [[1, 1, 1], [2.76, 0.4, 0.6], [5.4, 0.2, 0.3]],
  plate: [[1, 0.7, 1], [1.48, 0.5, 0.9], [2.09, 0.4, 0.7], [3.4, 0.3, 0.5]],
  drum: [[1, 1.6, 1], [1.6, 0.5, 0.4]],
};

/**
 * Sound a stroke, `at` seconds from now: its note in Hz, which slides to `to`.
 *
 * @param {AudioContext} out
 * @param {{
 *   body?: keyof typeof BODIES,
 *   type?: OscillatorType,
 *   at?: number,
 *   note: number,
 *   to?: number,
 *   long: number,
 *   loud?: number,
 *   side?: number,
 * }} how
 */
export function stroke(out, { body = "bar", type, at = 0, note, to, long, loud = 1, side = 0 }) {
  const start = out.currentTime + at;
  const end = placed(out, side);
  for (const [times, part, length] of BODIES[body]) {
    const stop = start + long * length;
    const tone = new OscillatorNode(out, { type: type ?? "sine", frequency: note * times });
    if (to) {
      tone.frequency.setValueAtTime(note * times, start);
      tone.frequency.exponentialRampToValueAtTime(to * times, stop);
    }
    const level = new GainNode(out, { gain: 0 });
    level.gain.setValueAtTime(0, start);
    level.gain.linearRampToValueAtTime(LOUDNESS * part * loud, start + 0.006);
    level.gain.exponentialRampToValueAtTime(SILENCE, Math.max(stop, start + 0.02));
    tone.connect(level).connect(end);
    tone.start(start);
    tone.stop(stop + 0.04);
  }
}

/**
 * Sound noise behind a filter that moves from one frequency to another.
 *
 * @param {AudioContext} out
 * @param {{
 *   kind?: BiquadFilterType,
 *   at?: number,
 *   from: number,
 *   to?: number,
 *   long: number,
 *   loud?: number,
 *   swells?: number,
 *   side?: number,
 * }} how
 */
export function noise(
  out,
  { kind = "lowpass", at = 0, from, to = from, long, loud = 1, swells = 0, side = 0 },
) {
  const start = out.currentTime + at;
  const buffer = new AudioBuffer({
    length: Math.ceil(out.sampleRate * long),
    sampleRate: out.sampleRate,
  });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(out, { buffer });
  const filter = new BiquadFilterNode(out, { type: kind, frequency: from, Q: 2 });
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(to, start + long);
  const level = new GainNode(out, { gain: 0 });
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(LOUDNESS * loud, start + Math.max(0.004, swells * long));
  level.gain.linearRampToValueAtTime(0, start + long);
  source.connect(filter).connect(level).connect(placed(out, side));
  source.start(start);
}

/** Where a sound goes: out, from the middle or from one side. */
function placed(out, side) {
  if (!side) return out.destination;
  const pan = new StereoPannerNode(out, { pan: side });
  pan.connect(out.destination);
  return pan;
}
