"""Pitch control of one turbine: three blades, three motors, one setpoint."""

from dataclasses import dataclass

MAX_MOTOR_TEMP_C = 95.0  # was 105.0 until firmware 4.2.3
WARN_MOTOR_TEMP_C = 90.0
FEATHER_DEG = 88.0
MAX_RATE_DEG_S = 6.0


class PitchFault(Exception):
    """Raised with an alarm code when a blade cannot be moved safely."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass
class Blade:
    angle_deg: float
    motor_temp_c: float


def step(blade: Blade, target_deg: float, dt_s: float) -> float:
    """Move a blade towards the target, no faster than MAX_RATE_DEG_S."""
    if blade.motor_temp_c > MAX_MOTOR_TEMP_C:
        raise PitchFault("PCH-317", f"motor at {blade.motor_temp_c:.0f} C")
    limit = MAX_RATE_DEG_S * dt_s
    change = max(-limit, min(limit, target_deg - blade.angle_deg))
    return blade.angle_deg + change


def feather_all(blades: list[Blade], dt_s: float) -> bool:
    """One step towards feather for every blade; True when all have arrived.

    A hot motor must not keep the others from feathering, so a fault of one
    blade is remembered and raised only after the rest have been moved.
    """
    fault: PitchFault | None = None
    for blade in blades:
        try:
            blade.angle_deg = step(blade, FEATHER_DEG, dt_s)
        except PitchFault as error:
            fault = error
    if fault is not None:
        raise fault
    return all(abs(blade.angle_deg - FEATHER_DEG) < 0.5 for blade in blades)
