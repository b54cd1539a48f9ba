/** Sounds that are synthesised, soft, wooden, watery; loaded once sound is on. */

/** Notes of a chime, in Hz: a good one rises, a bad one falls. */
const CHIMES = { good: [392, 587.33, 783.99], bad: [293.66, 233.08, 174.61] };
const LOUDNESS = 0.16;

/** Sound a chime: three strokes on wood, over a swell of water. */
export function chime(output, tone) {
  CHIMES[tone].forEach((note, i) =>
    stroke(output, note, output.currentTime + i * 0.13, tone === "good" ? 0.7 : 1)
  );
  swell(output, tone);
}

/** Sound a die that lands: one short knock. */
export function knock(output) {
  stroke(output, 150 + Math.random() * 60, output.currentTime, 0.09, 0.5);
}

/** A bar of wood that is struck: its note, and an overtone that dies at once. */
function stroke(out, note, at, long, loudness = 1) {
  for (const [times, part, length] of [[1, 1, long], [3.93, 0.22, long * 0.2], [9.2, 0.06, 0.04]]) {
    const tone = new OscillatorNode(out, { type: "sine", frequency: note * times });
    const level = new GainNode(out, { gain: 0 });
    level.gain.setValueAtTime(0, at);
    level.gain.linearRampToValueAtTime(LOUDNESS * part * loudness, at + 0.006);
    level.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(level).connect(out.destination);
    tone.start(at);
    tone.stop(at + length + 0.02);
  }
}

/**
 * Water that swells and ebbs: noise behind a filter that opens for what is good, and closes for
 * what is bad.
 */
function swell(out, tone) {
  const [start, long] = [out.currentTime, 1];
  const noise = new AudioBuffer({ length: out.sampleRate * long, sampleRate: out.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(out, { buffer: noise });
  const filter = new BiquadFilterNode(out, {
    type: "lowpass",
    frequency: tone === "good" ? 240 : 900,
    Q: 2,
  });
  filter.frequency.exponentialRampToValueAtTime(tone === "good" ? 1400 : 120, start + long);
  const level = new GainNode(out, { gain: 0 });
  level.gain.linearRampToValueAtTime(LOUDNESS * 0.22, start + 0.3);
  level.gain.linearRampToValueAtTime(0, start + long);
  source.connect(filter).connect(level).connect(out.destination);
  source.start();
}
