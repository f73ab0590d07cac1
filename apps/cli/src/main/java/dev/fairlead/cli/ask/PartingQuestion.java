package dev.fairlead.cli.ask;

import dev.fairlead.cli.ask.Dialog.Choice;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.tasks.TaskId;

import java.util.List;

/** Asks whether a task ends or continues when Ctrl-C is pressed. */
final class PartingQuestion {
    private static final List<Choice> CHOICES =
            List.of(new Choice('c', "cancel"), new Choice('l', "leave"), new Choice('w', "wait"));

    private PartingQuestion() {}

    static Parting ask(Dialog dialog, TaskId task) throws LeftException, InterruptedException {
        dialog.say("");
        dialog.say("Task " + Printable.line(task.value()) + " is still running.");
        char choice = dialog.choose("Cancel it, leave it running, or keep waiting?", CHOICES);
        return switch (choice) {
            case 'c' -> Parting.CANCEL;
            case 'l' -> Parting.LEAVE;
            default -> Parting.WAIT;
        };
    }
}
