/** Whether a device had better save its power: such a one shows flat dice. */

const LOW_BATTERY = 0.2;
const SMALL_MEMORY = 1;

/** Whether the device is low on battery or memory, saves data, or chooses all colours itself. */
export async function isWeak() {
  const device = /** @type {any} */ (navigator);
  const isSaving = device.connection?.saveData || device.deviceMemory < SMALL_MEMORY;
  if (isSaving || matchMedia("(forced-colors: active)").matches) return true;
  try {
    const battery = await device.getBattery?.();
    return Boolean(battery && !battery.charging && battery.level <= LOW_BATTERY);
  } catch {
    return false;
  }
}
