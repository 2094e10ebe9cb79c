"""Operators that go on while the window lives: their timer, progress bar and status line."""
import bpy

from ..build.data.blocks import is_alive
from ..jobs import Run


class Modal:
    """Of an operator whose modal() steps through `_run` and ends with _stop, however it ends."""
    _run: Run
    _timer: bpy.types.Timer
    _told: list[bpy.types.WorkSpace]   # where the status bar shows it: every workspace that was in front meanwhile

    def _start_run(self, context, run: Run, interval: float) -> set:
        """What execute() returns; modal() is called every `interval` seconds from now on."""
        self._run, self._told = run, []
        self._timer = context.window_manager.event_timer_add(interval, window=context.window)
        context.window_manager.progress_begin(0, 1000)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def _show_share(self, context, share: float, words: str) -> None:
        context.window_manager.progress_update(1000 * share)
        if context.workspace not in self._told:
            self._told.append(context.workspace)
        context.workspace.status_text_set(words)

    def _stop(self, context) -> None:
        self._run.end()
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        for workspace in self._told:
            if is_alive(workspace):
                workspace.status_text_set(None)

    def cancel(self, context) -> None:
        """The window or the file is closed, or the dialog is, which has no run."""
        if getattr(self, "_run", None):
            self._stop(context)
