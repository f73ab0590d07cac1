package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.annotation.McpTool;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.atomic.AtomicInteger;

/** Beans whose methods advice stands around: transactions, security, and the like. */
@Timeout(600)
final class ProxiesTest {
    /** Proxies implement interfaces where there are any. */
    private static final String INTERFACES = "spring.aop.proxy-target-class=false";

    interface Clock {
        String now();
    }

    /** A bean whose methods are not in its interface. */
    static class Hidden implements Clock {
        @Override
        public String now() {
            return "now";
        }

        /** Returns the time. */
        @McpTool
        public String time() {
            return now();
        }
    }

    interface Station {
        /** Measures. */
        @McpTool
        String measure();
    }

    static class Bergen implements Station {
        @Override
        public String measure() {
            return "9";
        }
    }

    static class Base {
        /** Is inherited. */
        @McpTool
        public String inherited() {
            return "base";
        }
    }

    static class Sub extends Base {}

    static class Final {
        /** Is final. */
        @McpTool
        public final String fixed() {
            return "fixed";
        }
    }

    static class Later {
        /** Is answered too early. */
        @McpTool
        @Async
        public void later() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Background {}

    static class Behind {
        /** Is answered too early. */
        @McpTool
        @Background
        public void later() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync(annotation = Background.class, proxyTargetClass = true)
    static class AsynchronousByAnotherAnnotation {
        @Bean
        Behind bean() {
            return new Behind();
        }
    }

    /** Stands around all methods of the bean, and shows it in their results. */
    abstract static class Advised {
        @Bean
        static BeanNameAutoProxyCreator proxies() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("bean", "byClass");
            creator.setInterceptorNames("advice");
            return creator;
        }

        @Bean
        static MethodInterceptor advice() {
            return invocation -> "advised " + invocation.proceed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfAClass extends Advised {
        @Bean
        Sub bean() {
            return new Sub();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfAnInterface extends Advised {
        @Bean
        Bergen bean() {
            return new Bergen();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class BehindAnInterface extends Advised {
        @Bean
        Hidden bean() {
            return new Hidden();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfAFinalMethod extends Advised {
        @Bean
        Final bean() {
            return new Final();
        }
    }

    static class Ledger {
        /** Books. */
        @McpTool
        @Transactional
        public String book() {
            return String.valueOf(TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    /** Counts, and keeps nothing. */
    static class Transactions extends AbstractPlatformTransactionManager {
        private final AtomicInteger committed = new AtomicInteger();

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            committed.incrementAndGet();
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement(proxyTargetClass = true)
    static class WithTransactions {
        @Bean
        Ledger bean() {
            return new Ledger();
        }

        @Bean
        Transactions transactions() {
            return new Transactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Asynchronous {
        @Bean
        Later bean() {
            return new Later();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfAHidingType {
        @Bean
        Clock bean() {
            return new Hidden();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class HidingBesideAnother {
        @Bean
        Sub bean() {
            return new Sub();
        }

        /** Is made after the server, on which it depends. */
        @Bean
        Clock hidden(McpServer server) {
            return new Hidden();
        }
    }

    private static void assertServes(Class<?> configuration, String tool, String text)
            throws Exception {
        try (ConfigurableApplicationContext application = Apps.plain(configuration, INTERFACES);
                McpClient client =
                        McpClient.connect(application.getBean(McpServer.class).inProcess())) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly(tool);
            assertThat(client.callTool(tool, JsonObject.EMPTY).text()).isEqualTo(text);
            assertThat(AopUtils.isJdkDynamicProxy(application.getBean("bean")))
                    .isEqualTo(configuration == OfAnInterface.class);
        }
    }

    @Test
    void anInheritedMethodOfAProxyOfTheClassIsServedWithItsAdvice() throws Exception {
        assertServes(OfAClass.class, "inherited", "advised base");
    }

    @Test
    void aCallOfATransactionalMethodIsATransaction() throws Exception {
        try (ConfigurableApplicationContext application =
                        Apps.plain(WithTransactions.class, INTERFACES);
                McpClient client =
                        McpClient.connect(application.getBean(McpServer.class).inProcess())) {
            assertThat(client.callTool("book", JsonObject.EMPTY).text()).isEqualTo("true");
            assertThat(application.getBean(Transactions.class).committed).hasValue(1);
        }
    }

    @Test
    void aMethodOfAnInterfaceIsServedThroughAProxyOfThatInterface() throws Exception {
        assertServes(OfAnInterface.class, "measure", "advised 9");
    }

    @Test
    void aMethodThatIsNotInTheInterfaceOfItsProxyEndsTheStart() {
        assertRefused(
                BehindAnInterface.class,
                "The bean bean is behind a proxy that has only interfaces, and its features are"
                        + " declared by the class "
                        + Hidden.class.getName());
    }

    @Test
    void aFinalMethodOfAProxyEndsTheStart() {
        assertRefused(
                OfAFinalMethod.class,
                "The method %s.fixed is final, so the proxy of the bean bean cannot pass it on"
                        .formatted(Final.class.getName()));
    }

    @Test
    void anAsynchronousMethodEndsTheStart() {
        assertRefused(
                Asynchronous.class,
                "The method %s.later of the bean bean has @Async, so its call would be answered before it has run"
                        .formatted(Later.class.getName()));
    }

    @Test
    void aMethodThatIsAsynchronousByAnotherAnnotationEndsTheStart() {
        assertRefused(
                AsynchronousByAnotherAnnotation.class,
                "The method %s.later of the bean bean runs asynchronously, so its call would be answered before it has run"
                        .formatted(Behind.class.getName()));
    }

    @Test
    void annotatedMethodsThatTheTypeOfTheBeanDoesNotShowEndTheStart() {
        assertRefused(
                OfAHidingType.class,
                "The bean bean is of the class %s, whose annotated methods its definition hides"
                        .formatted(Hidden.class.getName()));
    }

    @Test
    void hiddenMethodsBesideServedBeansEndTheStart() {
        assertRefused(
                HidingBesideAnother.class,
                "The bean hidden is of the class %s, whose annotated methods its definition hides"
                        .formatted(Hidden.class.getName()));
    }

    private static void assertRefused(Class<?> configuration, String message) {
        Throwable thrown = catchThrowable(() -> Apps.plain(configuration, INTERFACES).close());
        while (thrown != null && thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        assertThat(thrown).isInstanceOf(UnusableBeanException.class).hasMessage(message);
    }
}
