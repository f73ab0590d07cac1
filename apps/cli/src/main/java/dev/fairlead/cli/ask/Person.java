package dev.fairlead.cli.ask;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.ElicitUrl;
import dev.fairlead.client.UserRejectedException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.TaskId;

import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The person at the terminal, who is asked one question at a time. Thread-safe.
 *
 * <p>A question runs on a thread of its own, for the terminal is read there: so an interrupt by the
 * client, which means that the server has withdrawn the question, can be distinguished from Ctrl-C.
 */
public final class Person implements AutoCloseable {
    /** How long an editor may take to end, and more. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Screen screen;
    private final StatusLine status;
    private final Attention attention;
    private final Runnable cancelCall;
    private final Environment environment;
    private final Opening opening;
    private final BooleanSupplier available;
    private final ReentrantLock asking = new ReentrantLock(true);
    private volatile @Nullable Dialog dialog;
    private volatile @Nullable Thread reading;
    private volatile boolean withdrawn;
    private volatile boolean left;

    /**
     * @param screen of standard error, where the questions are shown
     * @param status is silent while a question is open
     * @param attention which task the person waits for; questions of others wait
     * @param cancelCall cancels the call that runs; called when the person presses Ctrl-C at a
     *     question
     * @param terminals takes the terminal with the first question
     * @param environment names the editor
     */
    public Person(
            Screen screen,
            StatusLine status,
            Attention attention,
            Runnable cancelCall,
            Terminals terminals,
            Environment environment) {
        this(
                screen,
                status,
                attention,
                cancelCall,
                environment,
                () -> Dialog.open(terminals, screen),
                () -> true);
    }

    /**
     * A person at a terminal that is taken already, for other lines.
     *
     * @param environment names the editor
     * @param available whether the terminal is free for questions; while it is not, they are left
     *     unanswered
     */
    public Person(
            Screen screen,
            StatusLine status,
            Attention attention,
            Runnable cancelCall,
            Environment environment,
            Terminal terminal,
            BooleanSupplier available) {
        this(
                screen,
                status,
                attention,
                cancelCall,
                environment,
                () -> Dialog.on(terminal, screen),
                available);
    }

    private Person(
            Screen screen,
            StatusLine status,
            Attention attention,
            Runnable cancelCall,
            Environment environment,
            Opening opening,
            BooleanSupplier available) {
        this.screen = screen;
        this.status = status;
        this.attention = attention;
        this.cancelCall = cancelCall;
        this.environment = environment;
        this.opening = opening;
        this.available = available;
    }

    /** Lets the person fill in a form, review it, decline or leave. */
    public Answer<?> fillIn(ElicitForm form) throws Exception {
        return ask(
                form.request().meta(), open -> new FormQuestion(open, form).ask(), Answer.cancel());
    }

    /** Shows a page, and opens it only with the consent of the person. */
    public Answer<?> visit(ElicitUrl page) throws Exception {
        return ask(
                page.request().meta(),
                open -> new PageQuestion(open, page, Browser.ofSystem()).ask(),
                Answer.cancel());
    }

    /**
     * Lets the person answer in the place of a model.
     *
     * @param server the server that asks
     * @throws UserRejectedException if the person does not want to
     */
    public CreateMessageResult speak(String server, CreateMessageRequest request) throws Exception {
        Optional<CreateMessageResult> answer =
                ask(
                        request.meta(),
                        open -> new SampleQuestion(open, editor(), server, request).ask(),
                        Optional.<CreateMessageResult>empty());
        return answer.orElseThrow(UserRejectedException::new);
    }

    private Editor editor() {
        return Editor.of(environment.variables());
    }

    /** A question under way. */
    @FunctionalInterface
    private interface Question<R> {
        R ask(Dialog dialog) throws LeftException, InterruptedException, IOException;
    }

    /**
     * Asks a person who no longer waits for a task whether it ends or continues.
     *
     * @param waiting called if that is to wait on, before the terminal shows so
     * @return empty if Ctrl-C was pressed once more
     */
    public Optional<Parting> part(TaskId task, Runnable waiting) throws InterruptedException {
        left = false;
        try {
            return askAlone(
                    () -> true,
                    open -> {
                        Parting parting = PartingQuestion.ask(open, task);
                        if (parting == Parting.WAIT) {
                            waiting.run();
                        }
                        return parting;
                    },
                    Parting.LEAVE);
        } catch (IOException e) {
            return Optional.of(Parting.LEAVE); // the terminal is gone
        }
    }

    /** Asks now, or while the person waits for the task that the question belongs to. */
    private <R> R ask(@Nullable JsonObject meta, Question<R> question, R otherwise)
            throws Exception {
        Optional<TaskId> task = RelatedTask.of(meta);
        if (task.isEmpty()) {
            return askAlone(available, question, otherwise).orElse(otherwise);
        }
        Optional<R> answer = Optional.empty();
        while (answer.isEmpty()) { // left by Ctrl-C: asked again when the person comes back
            attention.await(task.get());
            answer = askAlone(() -> attention.isOn(task.get()), question, otherwise);
        }
        return answer.get();
    }

    /** Returns whether a question is open. */
    public boolean isAsking() {
        return asking.isLocked();
    }

    /** Asks when no other question is open; empty if it may not be asked, or is left by Ctrl-C. */
    private <R> Optional<R> askAlone(BooleanSupplier may, Question<R> question, R otherwise)
            throws IOException, InterruptedException {
        asking.lockInterruptibly();
        try {
            if (!may.getAsBoolean()) {
                return Optional.empty();
            }
            status.hold();
            try {
                return onOwnThread(question, otherwise);
            } finally {
                status.release();
            }
        } finally {
            asking.unlock();
        }
    }

    private <R> Optional<R> onOwnThread(Question<R> question, R otherwise)
            throws IOException, InterruptedException {
        withdrawn = false;
        FutureTask<Optional<R>> task = new FutureTask<>(() -> answer(question, otherwise));
        Thread thread = Thread.ofPlatform().name("fairlead-ask").daemon().start(task);
        try {
            return task.get();
        } catch (InterruptedException e) { // the server has withdrawn the question
            withdrawn = true;
            thread.interrupt();
            awaitEnd(thread);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException lost) {
                throw lost;
            }
            throw new IllegalStateException("a question failed", e.getCause());
        }
    }

    /** The client interrupts a second time when it is closed, which must not end this wait. */
    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private <R> Optional<R> answer(Question<R> question, R otherwise) throws IOException {
        reading = Thread.currentThread();
        try {
            return Optional.of(question.ask(dialog()));
        } catch (LeftException e) {
            return Optional.of(otherwise);
        } catch (InterruptedException e) {
            if (withdrawn && !left) {
                dialog().say("The server has withdrawn the question.");
            } else {
                attention.lapse();
                cancelCall.run();
            }
            return Optional.empty();
        } finally {
            reading = null;
        }
    }

    /** Opens the dialog in which questions are asked. */
    @FunctionalInterface
    private interface Opening {
        Dialog open() throws IOException;
    }

    private Dialog dialog() throws IOException {
        Dialog open = dialog;
        if (open == null) {
            open = opening.open();
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

    /**
     * Gives the terminal back as it was, once the question that is open has ended: for when the
     * client is closed, which withdraws it.
     */
    @Override
    public void close() {
        try {
            if (asking.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                asking.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        giveBack();
    }

    /** Gives the terminal back at once; may be called from any thread and more than once. */
    public void giveBack() {
        Dialog open = dialog;
        if (open != null) {
            open.close();
        }
    }
}
