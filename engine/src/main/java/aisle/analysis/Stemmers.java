package aisle.analysis;

import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchMinimalStemFilter;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;

/** The token filter `stemmer`, by language name. */
final class Stemmers {

    private static final Map<String, UnaryOperator<TokenStream>> LANGUAGES = Map.ofEntries(
        Map.entry("english", PorterStemFilter::new),
        Map.entry("porter", PorterStemFilter::new),
        Map.entry("porter2", in -> new SnowballFilter(in, new EnglishStemmer())),
        Map.entry("light_english", KStemFilter::new),
        Map.entry("kstem", KStemFilter::new),
        Map.entry("minimal_english", EnglishMinimalStemFilter::new),
        Map.entry("possessive_english", EnglishPossessiveFilter::new),
        Map.entry("german", in -> new SnowballFilter(in, new GermanStemmer())),
        Map.entry("light_german", GermanLightStemFilter::new),
        Map.entry("minimal_german", GermanMinimalStemFilter::new),
        Map.entry("french", in -> new SnowballFilter(in, new FrenchStemmer())),
        Map.entry("light_french", FrenchLightStemFilter::new),
        Map.entry("minimal_french", FrenchMinimalStemFilter::new),
        Map.entry("spanish", in -> new SnowballFilter(in, new SpanishStemmer())),
        Map.entry("light_spanish", SpanishLightStemFilter::new),
        Map.entry("italian", in -> new SnowballFilter(in, new ItalianStemmer())),
        Map.entry("light_italian", ItalianLightStemFilter::new),
        Map.entry("dutch", in -> new SnowballFilter(in, new DutchStemmer()))
    );

    private Stemmers() {}

    static TokenFilterFactory stemmer(String name, Settings settings) {
        String language = settings.get("language", settings.get("name", "porter"));
        UnaryOperator<TokenStream> stemmer = LANGUAGES.get(language.toLowerCase(Locale.ROOT));
        if (stemmer == null) {
            throw new IllegalArgumentException("Invalid stemmer class specified: " + language);
        }
        return Factories.filter(name, stemmer);
    }
}
