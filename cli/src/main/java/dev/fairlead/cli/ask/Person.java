package dev.fairlead.cli.ask;

import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.ElicitUrl;
import dev.fairlead.client.UserRejectedException;
import dev.fairlead.protocol.Answer;
import dev.fairlead.protocol.CreateMessageRequest;
import dev.fairlead.protocol.CreateMessageResult;
import dev.fairlead.protocol.ElicitAction;

import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The person at the terminal, who is asked one question at a time. Thread-safe.
 *
 * <p>A question runs on a thread of its own, for the terminal is read there: so an interrupt by the
 * client, which means that the server has withdrawn the question, can be told from Ctrl-C.
 */
public final class Person implements AutoCloseable {
    private final Screen screen;
    private final StatusLine status;
    private final Runnable cancelCall;
    private final BooleanSupplier available;
    private final ReentrantLock asking = new ReentrantLock(true);
    private volatile @Nullable Dialog dialog;
    private volatile @Nullable Thread reading;
    private volatile boolean withdrawn;
    private volatile boolean left;

    /**
     * @param screen of standard error, where the questions are shown
     * @param status is silent while a question is open
     * @param cancelCall cancels the call that runs; called when the person presses Ctrl-C at a
     *     question
     */
    public Person(Screen screen, StatusLine status, Runnable cancelCall) {
        this(screen, status, cancelCall, () -> true);
    }

    /**
     * A person at a terminal that is taken already, for other lines.
     *
     * @param available whether the terminal is free for questions; while it is not, they are left
     *     unanswered
     */
    public Person(
            Screen screen,
            StatusLine status,
            Runnable cancelCall,
            Terminal terminal,
            BooleanSupplier available) {
        this(screen, status, cancelCall, available);
        dialog = Dialog.on(terminal, screen);
    }

    private Person(
            Screen screen, StatusLine status, Runnable cancelCall, BooleanSupplier available) {
        this.screen = screen;
        this.status = status;
        this.cancelCall = cancelCall;
        this.available = available;
    }

    /** Lets the person fill in a form, review it, decline or leave. */
    public Answer<?> fillIn(ElicitForm form) throws Exception {
        return ask(open -> new FormQuestion(open, form).ask(), Answer.cancel());
    }

    /** Shows a page, and opens it only with the consent of the person. */
    public ElicitAction visit(ElicitUrl page) throws Exception {
        return ask(
                open -> new PageQuestion(open, page, Browser.ofSystem()).ask(),
                ElicitAction.CANCEL);
    }

    /**
     * Lets the person speak in the place of a model.
     *
     * @param server who asks
     * @throws UserRejectedException if the person does not want to
     */
    public CreateMessageResult speak(String server, CreateMessageRequest request) throws Exception {
        Optional<CreateMessageResult> answer =
                ask(
                        open -> new SampleQuestion(open, server, request).ask(),
                        Optional.<CreateMessageResult>empty());
        return answer.orElseThrow(UserRejectedException::new);
    }

    /** A question under way. */
    @FunctionalInterface
    private interface Question<R> {
        R ask(Dialog dialog) throws LeftException, InterruptedException, IOException;
    }

    private <R> R ask(Question<R> question, R otherwise) throws Exception {
        asking.lockInterruptibly();
        if (!available.getAsBoolean()) {
            asking.unlock();
            return otherwise;
        }
        try {
            status.hold();
            return onOwnThread(question, otherwise);
        } finally {
            status.release();
            asking.unlock();
        }
    }

    private <R> R onOwnThread(Question<R> question, R otherwise) throws Exception {
        withdrawn = false;
        FutureTask<R> task = new FutureTask<>(() -> answer(question, otherwise));
        Thread thread = Thread.ofPlatform().name("fairlead-ask").daemon().start(task);
        try {
            return task.get();
        } catch (InterruptedException e) { // the server has withdrawn the question
            withdrawn = true;
            thread.interrupt();
            thread.join();
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private <R> R answer(Question<R> question, R otherwise) throws IOException {
        reading = Thread.currentThread();
        try {
            return question.ask(dialog());
        } catch (LeftException e) {
            return otherwise;
        } catch (InterruptedException e) {
            if (withdrawn && !left) {
                dialog().say("The server has withdrawn the question.");
            } else {
                cancelCall.run();
            }
            return otherwise;
        } finally {
            reading = null;
        }
    }

    private Dialog dialog() throws IOException {
        Dialog open = dialog;
        if (open == null) {
            open = Dialog.open(screen);
            dialog = open;
        }
        return open;
    }

    /** Leaves the question that is open, if one is; may be called from any thread. */
    public void leave() {
        left = true;
        Thread thread = reading;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Gives the terminal back as it was; may be called from any thread and more than once. */
    @Override
    public void close() {
        Dialog open = dialog;
        if (open != null) {
            open.close();
        }
    }
}
