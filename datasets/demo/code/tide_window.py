"""Find slack water windows in a current forecast."""

SLACK_LIMIT_M_S = 0.5
MIN_WINDOW_MIN = 20


def slack_windows(minutes: list[int], speeds: list[float]) -> list[tuple[int, int]]:
    """Return (start, end) minutes of windows in which work at the turbines is possible.

    The current must stay below SLACK_LIMIT_M_S for at least MIN_WINDOW_MIN minutes.
    """
    windows: list[tuple[int, int]] = []
    start: int | None = None
    for minute, speed in zip(minutes, speeds, strict=True):
        if abs(speed) < SLACK_LIMIT_M_S:
            start = minute if start is None else start
        elif start is not None:
            if minute - start >= MIN_WINDOW_MIN:
                windows.append((start, minute))
            start = None
    return windows
