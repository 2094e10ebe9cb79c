"""Base class of operators that run while the window is used: timer, progress bar and status line."""
import bpy

from ..build.data.blocks import is_alive
from ..jobs import Run


class Modal:
    """For operators that run a job. Their modal() advances `_run` step by step, and calls _stop at the end in every
    case."""
    _run: Run
    _timer: bpy.types.Timer
    _told: list[bpy.types.WorkSpace]   # workspaces in whose status bar the progress text was set; a user may switch
                                       # between several

    def _start_run(self, context, run: Run, interval: float) -> set:
        """Starts a run and returns the result for execute(). From then on, Blender calls modal() every `interval`
        seconds."""
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
        """Blender calls this when the window, the file or the dialog is closed. In the dialog nothing runs yet."""
        if getattr(self, "_run", None):
            self._stop(context)
