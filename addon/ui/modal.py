"""Base class of operators that run while the window is used: timer, progress bar and status line."""
import bpy

from ..build.data.blocks import is_alive
from ..jobs import Run


class Modal:
    """For operators whose modal() steps through `_run` and calls _stop in every case."""
    _run: Run
    _timer: bpy.types.Timer
    _told: list[bpy.types.WorkSpace]   # every workspace that was shown meanwhile, whose status bar has the text

    def _start_run(self, context, run: Run, interval: float) -> set:
        """Returns the result for execute(); modal() is called every `interval` seconds from now on."""
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
        """Called when the window, the file or the dialog (which has no run) is closed."""
        if getattr(self, "_run", None):
            self._stop(context)
